# One point, a working day; points.sh takes long and is run by tests/long/check-long.
TESTS += %D%/measure.sh
EXTRA_DIST += %D%/measure.sh %D%/points.sh
if HAVE_CRITERION
check_PROGRAMS += tests/sweep/test-here
tests_sweep_test_here_SOURCES = %D%/test-here.c
tests_sweep_test_here_LDADD = $(TEST_LIBS)
endif

if HAVE_CRITERION
check_PROGRAMS += tests/sweep/test-guard tests/sweep/test-judge tests/sweep/test-narrow tests/sweep/test-plan tests/sweep/test-put-back tests/sweep/test-resume tests/sweep/test-supervisor
tests_sweep_test_guard_SOURCES = %D%/test-guard.c
tests_sweep_test_guard_LDADD = $(TEST_LIBS)
tests_sweep_test_judge_SOURCES = %D%/test-judge.c
tests_sweep_test_judge_LDADD = $(TEST_LIBS)
tests_sweep_test_narrow_SOURCES = %D%/test-narrow.c
tests_sweep_test_narrow_LDADD = $(TEST_LIBS)
tests_sweep_test_plan_SOURCES = %D%/test-plan.c
tests_sweep_test_plan_LDADD = $(TEST_LIBS)
tests_sweep_test_put_back_SOURCES = %D%/test-put-back.c
tests_sweep_test_put_back_LDADD = $(TEST_LIBS)
tests_sweep_test_resume_SOURCES = %D%/test-resume.c
tests_sweep_test_resume_LDADD = $(TEST_LIBS)
tests_sweep_test_supervisor_SOURCES = %D%/test-supervisor.c
tests_sweep_test_supervisor_LDADD = $(TEST_LIBS)
endif
# broken.sh, personas.sh, refine.sh, signs.sh, set-with.sh and dead-man.sh take long and are run by tests/long/check-long.
TESTS += %D%/guard.sh %D%/refuse.sh %D%/normal.sh %D%/ends.sh
EXTRA_DIST += %D%/broken.sh %D%/guard.sh %D%/signs.sh %D%/lib.sh %D%/refuse.sh %D%/normal.sh %D%/ends.sh %D%/personas.sh %D%/refine.sh
# Run by check-long: it has to wait for the Agent's job.
EXTRA_DIST += %D%/dead-man.sh
TESTS += %D%/again.sh
# Run by check-long: several sweeps, broken off.
EXTRA_DIST += %D%/again.sh %D%/set-with.sh
