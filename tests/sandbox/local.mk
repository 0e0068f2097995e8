# The front door alone, with an echo behind it.
EXTRA_PROGRAMS += tests/sandbox/echo-server
CLEANFILES += tests/sandbox/echo-server$(EXEEXT)
tests_sandbox_echo_server_SOURCES = %D%/echo-server.c %D%/echo.c %D%/echo.h
tests_sandbox_echo_server_LDADD = $(SB_LIBS)

check_PROGRAMS += tests/sandbox/listener-threads
tests_sandbox_listener_threads_SOURCES = %D%/listener-threads.c %D%/echo.c %D%/echo.h %D%/build.h
tests_sandbox_listener_threads_LDADD = $(SB_LIBS)
# Run under the thread sanitizer, too.
LOAD_PATH_TESTS += tests/sandbox/listener-threads

if HAVE_CRITERION
check_PROGRAMS += \
	tests/sandbox/test-tds-text \
	tests/sandbox/test-tds-type \
	tests/sandbox/test-tds-in \
	tests/sandbox/test-tds-client \
	tests/sandbox/test-session \
	tests/sandbox/test-settings \
	tests/sandbox/test-statements \
	tests/sandbox/test-translate
tests_sandbox_test_tds_text_SOURCES = %D%/test-tds-text.c
tests_sandbox_test_tds_text_LDADD = $(SB_LIBS) $(CRITERION_LIBS)
tests_sandbox_test_tds_type_SOURCES = %D%/test-tds-type.c %D%/build.h
tests_sandbox_test_tds_type_LDADD = $(SB_LIBS) $(CRITERION_LIBS)
tests_sandbox_test_tds_in_SOURCES = %D%/test-tds-in.c %D%/build.h
tests_sandbox_test_tds_in_LDADD = $(SB_LIBS) $(CRITERION_LIBS)
tests_sandbox_test_tds_client_SOURCES = %D%/test-tds-client.c %D%/talk.c %D%/talk.h %D%/echo.c %D%/echo.h %D%/build.h
tests_sandbox_test_tds_client_LDADD = $(SB_LIBS) $(CRITERION_LIBS)
tests_sandbox_test_session_SOURCES = %D%/test-session.c
tests_sandbox_test_session_LDADD = $(TEST_LIBS)
tests_sandbox_test_settings_SOURCES = %D%/test-settings.c
tests_sandbox_test_settings_LDADD = $(SB_LIBS) $(CRITERION_LIBS)
tests_sandbox_test_statements_SOURCES = %D%/test-statements.c
tests_sandbox_test_statements_CFLAGS = $(libsandbox_a_CFLAGS)
tests_sandbox_test_statements_LDADD = $(SB_LIBS) $(CRITERION_LIBS)
tests_sandbox_test_translate_SOURCES = %D%/test-translate.c
tests_sandbox_test_translate_LDADD = $(SB_LIBS) $(CRITERION_LIBS)
endif

TESTS += %D%/clients.sh %D%/engine.sh %D%/personas.sh %D%/prompt.sh %D%/reads.sh
EXTRA_DIST += %D%/clients.sh %D%/engine.sh %D%/personas.sh %D%/prompt.sh %D%/reads.sh
