# The front door alone, with an echo behind it.
EXTRA_PROGRAMS += tests/sandbox/echo-server
CLEANFILES += tests/sandbox/echo-server$(EXEEXT)
tests_sandbox_echo_server_SOURCES = %D%/echo-server.c %D%/echo.c %D%/echo.h
tests_sandbox_echo_server_LDADD = $(SB_LIBS)
