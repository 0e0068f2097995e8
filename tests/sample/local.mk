if HAVE_CRITERION
check_PROGRAMS += tests/sample/test-sample
tests_sample_test_sample_SOURCES = %D%/test-sample.c
tests_sample_test_sample_LDADD = $(TEST_LIBS)
endif

# What the shell test calls; no suite.
EXTRA_PROGRAMS += tests/sample/show-sample
CLEANFILES += tests/sample/show-sample$(EXEEXT)
tests/sample/sandbox.log: tests/sample/show-sample$(EXEEXT)
tests_sample_show_sample_SOURCES = %D%/show-sample.c
tests_sample_show_sample_LDADD = $(RK_LIBS)
TESTS += %D%/sandbox.sh
EXTRA_DIST += %D%/sandbox.sh
