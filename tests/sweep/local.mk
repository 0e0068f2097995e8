if HAVE_CRITERION
check_PROGRAMS += tests/sweep/test-plan tests/sweep/test-supervisor
tests_sweep_test_plan_SOURCES = %D%/test-plan.c
tests_sweep_test_plan_LDADD = $(TEST_LIBS)
tests_sweep_test_supervisor_SOURCES = %D%/test-supervisor.c
tests_sweep_test_supervisor_LDADD = $(TEST_LIBS)
endif
