# tests of mix
if HAVE_CRITERION
check_PROGRAMS += tests/mix/test-draw tests/mix/test-rows
tests_mix_test_draw_SOURCES = %D%/test-draw.c
tests_mix_test_draw_LDADD = $(TEST_LIBS)
tests_mix_test_rows_SOURCES = %D%/test-rows.c
tests_mix_test_rows_LDADD = $(TEST_LIBS)
endif
