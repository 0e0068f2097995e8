if HAVE_CRITERION
check_PROGRAMS += tests/analysis/test-hist
tests_analysis_test_hist_SOURCES = %D%/test-hist.c
tests_analysis_test_hist_LDADD = $(TEST_LIBS)
endif
