if HAVE_CRITERION
check_PROGRAMS += tests/drive/test-recorder tests/drive/test-drive
tests_drive_test_recorder_SOURCES = %D%/test-recorder.c
tests_drive_test_recorder_LDADD = $(TEST_LIBS)
tests_drive_test_drive_SOURCES = %D%/fake.c %D%/fake.h %D%/test-drive.c
tests_drive_test_drive_LDADD = $(TEST_LIBS)
endif

# Without Criterion, which does not start under TSan.
check_PROGRAMS += tests/drive/load-path
tests_drive_load_path_SOURCES = %D%/fake.c %D%/fake.h %D%/load-path.c
tests_drive_load_path_LDADD = $(RK_LIBS)
LOAD_PATH_TESTS += tests/drive/load-path

# End to end, on delays that the sandbox's front door is told to make.
EXTRA_PROGRAMS += tests/drive/truth
CLEANFILES += tests/drive/truth$(EXEEXT)
tests_drive_truth_SOURCES = %D%/truth.c
tests_drive_truth_LDADD = $(RK_LIBS)
tests/drive/truth.log: tests/drive/truth$(EXEEXT)
TESTS += %D%/truth.sh
EXTRA_DIST += %D%/truth.sh
