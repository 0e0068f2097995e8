if HAVE_CRITERION
check_PROGRAMS += tests/server/test-target
tests_server_test_target_SOURCES = %D%/test-target.c
tests_server_test_target_LDADD = $(TEST_LIBS)
endif
