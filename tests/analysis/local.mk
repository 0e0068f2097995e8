# the pure part
if HAVE_CRITERION
check_PROGRAMS += tests/analysis/test-hist tests/analysis/test-verdict tests/analysis/test-stats tests/analysis/test-steady \
	tests/analysis/test-sheet tests/analysis/test-curves tests/analysis/test-bed tests/analysis/test-tell tests/analysis/test-visits
tests_analysis_test_hist_SOURCES = %D%/test-hist.c
tests_analysis_test_hist_LDADD = $(TEST_LIBS)
tests_analysis_test_verdict_SOURCES = %D%/test-verdict.c
tests_analysis_test_verdict_LDADD = $(TEST_LIBS)
tests_analysis_test_stats_SOURCES = %D%/test-stats.c
tests_analysis_test_stats_LDADD = $(TEST_LIBS)
tests_analysis_test_steady_SOURCES = %D%/test-steady.c
tests_analysis_test_steady_LDADD = $(TEST_LIBS)
tests_analysis_test_sheet_SOURCES = %D%/test-sheet.c
tests_analysis_test_sheet_LDADD = $(TEST_LIBS)
tests_analysis_test_curves_SOURCES = %D%/test-curves.c
tests_analysis_test_curves_LDADD = $(TEST_LIBS)
tests_analysis_test_bed_SOURCES = %D%/test-bed.c %D%/bed.c %D%/bed.h
tests_analysis_test_bed_LDADD = $(TEST_LIBS)
tests_analysis_test_tell_SOURCES = %D%/test-tell.c
tests_analysis_test_tell_LDADD = $(TEST_LIBS)
tests_analysis_test_visits_SOURCES = %D%/test-visits.c
tests_analysis_test_visits_LDADD = $(TEST_LIBS)
endif
EXTRA_DIST += %D%/curves/ibm_db2_bpa_separate.tsv %D%/curves/oracle_docs_dbcacheadvice.tsv %D%/curves/perc2016_tpcc_pm1725_16k.tsv \
	%D%/curves/perc2016_tpcc_sam863_4k.tsv %D%/curves/perc2018_mysql8_nobinlog.tsv %D%/curves/perc2026a_hdb_mysql848.tsv \
	%D%/curves/perc2026a_hdb_mysql848_reads.tsv
TESTS += %D%/analyze.sh
EXTRA_DIST += %D%/analyze.sh
EXTRA_DIST += %D%/shapes/markdown.md %D%/shapes/advisory.txt %D%/shapes/commas.csv %D%/shapes/percent.tsv %D%/shapes/side.csv \
	%D%/shapes/psql.txt %D%/shapes/bytes.tsv %D%/shapes/perfmon.csv %D%/shapes/noisy.txt %D%/shapes/wide.txt
