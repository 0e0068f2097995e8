# Benches: `make bench` builds them and runs one after another beside one sandbox.  Each prints its figures in lines of its own; a program
# is called with the sandbox's name as -S takes it, a script finds it in SANDBOX.
RK_BENCHES =
RK_BENCH_SH =
EXTRA_PROGRAMS += $(RK_BENCHES)
CLEANFILES += $(RK_BENCHES)
EXTRA_DIST += %D%/run.sh $(RK_BENCH_SH)

RK_BENCHES += tests/bench/bench-bulk tests/bench/bench-call tests/bench/bench-users
tests_bench_bench_bulk_SOURCES = %D%/bench-bulk.c
tests_bench_bench_bulk_LDADD = $(RK_LIBS)
tests_bench_bench_call_SOURCES = %D%/bench-call.c
tests_bench_bench_call_LDADD = $(RK_LIBS)
tests_bench_bench_users_SOURCES = %D%/bench-users.c
tests_bench_bench_users_LDADD = $(RK_LIBS)

RK_BENCHES += tests/bench/bench-record tests/bench/bench-lateness tests/bench/bench-sampling
tests_bench_bench_sampling_SOURCES = %D%/bench-sampling.c
tests_bench_bench_sampling_LDADD = $(RK_LIBS)
tests_bench_bench_record_SOURCES = %D%/bench-record.c
tests_bench_bench_record_LDADD = $(RK_LIBS)
tests_bench_bench_lateness_SOURCES = %D%/bench-lateness.c
tests_bench_bench_lateness_LDADD = $(RK_LIBS)

RK_BENCHES += tests/bench/bench-analysis
tests_bench_bench_analysis_SOURCES = %D%/bench-analysis.c
tests_bench_bench_analysis_LDADD = $(RK_LIBS)

bench: all $(RK_BENCHES)
	@$(AM_TESTS_ENVIRONMENT) $(SHELL) $(srcdir)/tests/bench/run.sh $(RK_BENCHES) $(RK_BENCH_SH)
.PHONY: bench
