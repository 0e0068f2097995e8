libramknee_a_SOURCES += \
	%D%/child.c %D%/child.h \
	%D%/confirm.c \
	%D%/demand.c \
	%D%/facts.c %D%/facts.h \
	%D%/feed.c %D%/feed.h \
	%D%/judge.c %D%/judge.h \
	%D%/meta.c \
	%D%/narrow.c %D%/narrow.h \
	%D%/phases.c \
	%D%/plan.c %D%/plan.h \
	%D%/prewarm.c %D%/prewarm.h \
	%D%/put_back.c %D%/put_back.h \
	%D%/steps.c \
	%D%/supervisor.c %D%/supervisor.h \
	%D%/sweep.c %D%/sweep.h \
	%D%/work.h
