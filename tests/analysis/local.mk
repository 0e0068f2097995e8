if HAVE_CRITERION
check_PROGRAMS += tests/analysis/test-hist tests/analysis/test-verdict tests/analysis/test-stats
tests_analysis_test_hist_SOURCES = %D%/test-hist.c
tests_analysis_test_hist_LDADD = $(TEST_LIBS)
tests_analysis_test_verdict_SOURCES = %D%/test-verdict.c
tests_analysis_test_verdict_LDADD = $(TEST_LIBS)
tests_analysis_test_stats_SOURCES = %D%/test-stats.c
tests_analysis_test_stats_LDADD = $(TEST_LIBS)
endif
