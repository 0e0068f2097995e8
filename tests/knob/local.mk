if HAVE_CRITERION
check_PROGRAMS += tests/knob/test-knob
tests_knob_test_knob_SOURCES = %D%/test-knob.c
tests_knob_test_knob_LDADD = $(TEST_LIBS)
endif
