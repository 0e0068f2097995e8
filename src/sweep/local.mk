libramknee_a_SOURCES += %D%/plan.c %D%/plan.h %D%/sweep.h
