# make-run writes run folders with known curves, for the shell test.
EXTRA_PROGRAMS += tests/report/make-run
CLEANFILES += tests/report/make-run$(EXEEXT)
tests_report_make_run_SOURCES = %D%/make-run.c
tests_report_make_run_LDADD = $(RK_LIBS)

TESTS += %D%/passes.sh %D%/report.sh %D%/refined.sh %D%/join.sh
EXTRA_DIST += %D%/lib.sh %D%/passes.sh %D%/report.sh %D%/refined.sh %D%/join.sh
tests/report/passes.log tests/report/report.log tests/report/refined.log tests/report/join.log: tests/report/make-run$(EXEEXT)

if HAVE_CRITERION
check_PROGRAMS += tests/report/test-day tests/report/test-report
tests_report_test_day_SOURCES = %D%/test-day.c
tests_report_test_day_LDADD = $(TEST_LIBS)
tests_report_test_report_SOURCES = %D%/test-report.c
tests_report_test_report_LDADD = $(TEST_LIBS)
endif
