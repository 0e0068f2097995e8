libramknee_a_SOURCES += %D%/plan.c %D%/plan.h %D%/supervisor.c %D%/supervisor.h %D%/sweep.h
