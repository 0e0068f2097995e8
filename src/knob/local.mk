libramknee_a_SOURCES += %D%/dead_man.c %D%/dead_man.h %D%/journal.c %D%/journal.h %D%/knob.h %D%/memory.c %D%/memory.h
