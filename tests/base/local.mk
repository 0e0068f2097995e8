if HAVE_CRITERION
check_PROGRAMS += tests/base/test-base
tests_base_test_base_SOURCES = %D%/test-base.c
tests_base_test_base_LDADD = $(TEST_LIBS)
endif
