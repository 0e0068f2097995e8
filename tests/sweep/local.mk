if HAVE_CRITERION
check_PROGRAMS += tests/sweep/test-plan
tests_sweep_test_plan_SOURCES = %D%/test-plan.c
tests_sweep_test_plan_LDADD = $(TEST_LIBS)
endif
