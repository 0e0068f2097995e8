# Fuzz targets of the parsers of wire bytes.  Plain programs for make check; with libFuzzer by tests/fuzz/run, in a build of its own.
FUZZ_REPLAY = %D%/replay.c %D%/fuzz.h %D%/values.h tests/sandbox/build.h
FUZZ_ECHO = tests/sandbox/echo.c tests/sandbox/echo.h
EXTRA_DIST += %D%/run %D%/found/README %D%/found/client/empty-first-packet

check_PROGRAMS += tests/fuzz/fuzz-login tests/fuzz/fuzz-batch tests/fuzz/fuzz-rpc tests/fuzz/fuzz-bulk tests/fuzz/fuzz-text tests/fuzz/fuzz-client
EXTRA_PROGRAMS += tests/fuzz/lib-login tests/fuzz/lib-batch tests/fuzz/lib-rpc tests/fuzz/lib-bulk tests/fuzz/lib-text tests/fuzz/lib-client

tests_fuzz_fuzz_login_SOURCES = %D%/fuzz-login.c $(FUZZ_REPLAY)
tests_fuzz_fuzz_login_LDADD = $(SB_LIBS)
tests_fuzz_lib_login_SOURCES = %D%/fuzz-login.c
tests_fuzz_lib_login_LDADD = $(SB_LIBS)
tests_fuzz_lib_login_LDFLAGS = $(AM_LDFLAGS) -fsanitize=fuzzer

tests_fuzz_fuzz_batch_SOURCES = %D%/fuzz-batch.c $(FUZZ_REPLAY)
tests_fuzz_fuzz_batch_LDADD = $(SB_LIBS)
tests_fuzz_lib_batch_SOURCES = %D%/fuzz-batch.c
tests_fuzz_lib_batch_LDADD = $(SB_LIBS)
tests_fuzz_lib_batch_LDFLAGS = $(AM_LDFLAGS) -fsanitize=fuzzer

tests_fuzz_fuzz_rpc_SOURCES = %D%/fuzz-rpc.c $(FUZZ_REPLAY)
tests_fuzz_fuzz_rpc_LDADD = $(SB_LIBS)
tests_fuzz_lib_rpc_SOURCES = %D%/fuzz-rpc.c
tests_fuzz_lib_rpc_LDADD = $(SB_LIBS)
tests_fuzz_lib_rpc_LDFLAGS = $(AM_LDFLAGS) -fsanitize=fuzzer

tests_fuzz_fuzz_bulk_SOURCES = %D%/fuzz-bulk.c $(FUZZ_REPLAY)
tests_fuzz_fuzz_bulk_LDADD = $(SB_LIBS)
tests_fuzz_lib_bulk_SOURCES = %D%/fuzz-bulk.c
tests_fuzz_lib_bulk_LDADD = $(SB_LIBS)
tests_fuzz_lib_bulk_LDFLAGS = $(AM_LDFLAGS) -fsanitize=fuzzer

tests_fuzz_fuzz_text_SOURCES = %D%/fuzz-text.c $(FUZZ_REPLAY)
tests_fuzz_fuzz_text_LDADD = $(SB_LIBS)
tests_fuzz_lib_text_SOURCES = %D%/fuzz-text.c
tests_fuzz_lib_text_LDADD = $(SB_LIBS)
tests_fuzz_lib_text_LDFLAGS = $(AM_LDFLAGS) -fsanitize=fuzzer

tests_fuzz_fuzz_client_SOURCES = %D%/fuzz-client.c $(FUZZ_REPLAY) $(FUZZ_ECHO)
tests_fuzz_fuzz_client_LDADD = $(SB_LIBS)
tests_fuzz_lib_client_SOURCES = %D%/fuzz-client.c $(FUZZ_ECHO)
tests_fuzz_lib_client_LDADD = $(SB_LIBS)
tests_fuzz_lib_client_LDFLAGS = $(AM_LDFLAGS) -fsanitize=fuzzer

# Tables of measurements: the program's own library, not the sandbox's.
check_PROGRAMS += tests/fuzz/fuzz-table
EXTRA_PROGRAMS += tests/fuzz/lib-table
tests_fuzz_fuzz_table_SOURCES = %D%/fuzz-table.c $(FUZZ_REPLAY)
tests_fuzz_fuzz_table_LDADD = $(RK_LIBS)
tests_fuzz_lib_table_SOURCES = %D%/fuzz-table.c
tests_fuzz_lib_table_LDADD = $(RK_LIBS)
tests_fuzz_lib_table_LDFLAGS = $(AM_LDFLAGS) -fsanitize=fuzzer
