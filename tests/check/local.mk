if HAVE_CRITERION
check_PROGRAMS += tests/check/test-check
tests_check_test_check_SOURCES = %D%/test-check.c
tests_check_test_check_LDADD = $(TEST_LIBS)
endif
TESTS += %D%/check.sh
EXTRA_DIST += %D%/check.sh
