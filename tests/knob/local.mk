if HAVE_CRITERION
check_PROGRAMS += tests/knob/test-command tests/knob/test-knob tests/knob/test-dead-man
tests_knob_test_dead_man_SOURCES = %D%/test-dead-man.c
tests_knob_test_dead_man_LDADD = $(TEST_LIBS)
tests_knob_test_command_SOURCES = %D%/test-command.c
tests_knob_test_command_LDADD = $(TEST_LIBS)
tests_knob_test_knob_SOURCES = %D%/test-knob.c
tests_knob_test_knob_LDADD = $(TEST_LIBS)
endif
