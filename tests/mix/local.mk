# tests of mix
EXTRA_DIST += %D%/load.sh
TESTS += %D%/load.sh
# What shell tests and benches call: users that send the orders mix.
EXTRA_PROGRAMS += tests/mix/calls
CLEANFILES += tests/mix/calls$(EXEEXT)
tests_mix_calls_SOURCES = %D%/calls.c
tests_mix_calls_LDADD = $(RK_LIBS)
tests/mix/load.log: tests/mix/calls$(EXEEXT)
if HAVE_CRITERION
check_PROGRAMS += tests/mix/test-draw tests/mix/test-rows
tests_mix_test_draw_SOURCES = %D%/test-draw.c
tests_mix_test_draw_LDADD = $(TEST_LIBS)
tests_mix_test_rows_SOURCES = %D%/test-rows.c
tests_mix_test_rows_LDADD = $(TEST_LIBS)
endif
