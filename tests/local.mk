# Tests: Criterion suites (test-*) speak TAP, shell tests (*.sh) too.  Timed ones must not run beside others: no parallel make check.
LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
SH_LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
SH_LOG_COMPILER = $(SHELL)
TEST_EXTENSIONS = .sh
# Whatever the user's locale: in one that is not UTF-8 gnuplot warns of `set encoding utf8`, and tools sort in orders of their own.
AM_TESTS_ENVIRONMENT = CRITERION_OUTPUTS='tap:-'; export CRITERION_OUTPUTS; \
	LC_ALL=C.UTF-8; export LC_ALL; \
	srcdir='$(srcdir)'; export srcdir; top_builddir='$(abs_top_builddir)'; export top_builddir; \
	top_srcdir='$(abs_top_srcdir)'; export top_srcdir; PATH='$(abs_top_builddir)':$$PATH; export PATH; \
	LSAN_OPTIONS="suppressions=$(abs_top_srcdir)/tests/lib/lsan.supp:print_suppressions=0"; export LSAN_OPTIONS;

TEST_LIBS = $(RK_LIBS) $(CRITERION_LIBS)

EXTRA_DIST += tests/lib/lsan.supp tests/lib/sandbox.sh

# Without Criterion a check that passes with nothing would be a lie.
check-local:
if !HAVE_CRITERION
	@echo "make check needs Criterion (Debian: libcriterion-dev); install it and run configure again" >&2; exit 1
endif

# Those in which threads share something, for TSan: programs without Criterion, which does not start under it.
LOAD_PATH_TESTS =

# One fragment a module: it adds its suites to check_PROGRAMS (Criterion) and its scripts to TESTS.
include tests/base/local.mk
include tests/analysis/local.mk
include tests/run/local.mk
include tests/report/local.mk
include tests/mix/local.mk
include tests/drive/local.mk
include tests/sample/local.mk
include tests/server/local.mk
include tests/check/local.mk
include tests/sandbox/local.mk
include tests/knob/local.mk
include tests/sweep/local.mk
include tests/cli/local.mk
include tests/bench/local.mk
include tests/fuzz/local.mk

if HAVE_CRITERION
TESTS += $(check_PROGRAMS)
endif

# The suites alone, without the shell tests: for the sanitizers.
check-suites:
	$(MAKE) check TESTS='$(check_PROGRAMS)'
check-load-path:
	$(MAKE) check TESTS='$(LOAD_PATH_TESTS)'
# What takes long; RK_LONG=ci runs a bounded part.
EXTRA_DIST += tests/long/check-long tests/long/faults tests/long/personas tests/long/programs tests/long/refine tests/long/sql-rules tests/long/cppcheck.supp tests/long/truth tests/long/valgrind
check-long: all
	$(top_srcdir)/tests/long/check-long $(srcdir) .
.PHONY: check-suites check-load-path check-long
