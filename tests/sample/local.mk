if HAVE_CRITERION
check_PROGRAMS += tests/sample/test-sample
tests_sample_test_sample_SOURCES = %D%/test-sample.c
tests_sample_test_sample_LDADD = $(TEST_LIBS)
endif

check_PROGRAMS += tests/sample/show-sample
tests_sample_show_sample_SOURCES = %D%/show-sample.c
tests_sample_show_sample_LDADD = $(RK_LIBS)
TESTS += %D%/sandbox.sh
EXTRA_DIST += %D%/sandbox.sh
