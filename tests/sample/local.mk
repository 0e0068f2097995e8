if HAVE_CRITERION
check_PROGRAMS += tests/sample/test-sample
tests_sample_test_sample_SOURCES = %D%/test-sample.c
tests_sample_test_sample_LDADD = $(TEST_LIBS)
endif
