if HAVE_CRITERION
check_PROGRAMS += tests/run/test-run
tests_run_test_run_SOURCES = %D%/test-run.c
tests_run_test_run_LDADD = $(TEST_LIBS)
endif
