# The client and the sandbox's front door in one process.
SERVER_TEST_LIBS = libsandbox.a $(RK_LIBS) $(MARIADB_LIBS) $(GNUTLS_LIBS)

if HAVE_CRITERION
check_PROGRAMS += tests/server/test-target tests/server/test-conn tests/server/threads
tests_server_test_target_SOURCES = %D%/test-target.c
tests_server_test_target_LDADD = $(TEST_LIBS)
tests_server_test_conn_SOURCES = %D%/test-conn.c %D%/stand-in.c %D%/stand-in.h
tests_server_test_conn_LDADD = $(SERVER_TEST_LIBS) $(CRITERION_LIBS)
tests_server_threads_SOURCES = %D%/threads.c %D%/stand-in.c %D%/stand-in.h
tests_server_threads_LDADD = $(SERVER_TEST_LIBS)
# Run under the thread sanitizer, too.
LOAD_PATH_TESTS += tests/server/threads
endif

# What the client needs of a server; any-server.sh tries it on the sandbox.
EXTRA_PROGRAMS += tests/server/any-server
CLEANFILES += tests/server/any-server
tests_server_any_server_SOURCES = %D%/any-server.c
tests_server_any_server_LDADD = $(RK_LIBS)
TESTS += %D%/any-server.sh
EXTRA_DIST += %D%/any-server.sh %D%/check-server
tests/server/any-server.log: tests/server/any-server$(EXEEXT)

# Against a SQL Server that somebody has: make check-server SERVER=... USER=... [PASSWORD_FILE=...] [ENCRYPT=...] [STEPS=...]
check-server: all tests/server/any-server$(EXEEXT)
	@SERVER='$(SERVER)' LOGIN='$(USER)' PASSWORD_FILE='$(PASSWORD_FILE)' ENCRYPT='$(ENCRYPT)' STEPS='$(STEPS)' GIVEN="$$MAKEFLAGS" \
	$(top_srcdir)/tests/server/check-server $(abs_top_builddir)
.PHONY: check-server
