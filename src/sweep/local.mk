libramknee_a_SOURCES += \
	%D%/child.c %D%/child.h \
	%D%/confirm.c \
	%D%/day.c %D%/day.h \
	%D%/demand.c \
	%D%/facts.c %D%/facts.h \
	%D%/feed.c %D%/feed.h \
	%D%/harm.c %D%/harm.h \
	%D%/here.c %D%/here.h \
	%D%/judge.c %D%/judge.h \
	%D%/measure.c %D%/measure.h \
	%D%/meta.c \
	%D%/narrow.c %D%/narrow.h \
	%D%/noted.c \
	%D%/observe.c %D%/observe.h \
	%D%/options.c %D%/options.h \
	%D%/phases.c \
	%D%/plan.c %D%/plan.h \
	%D%/prewarm.c %D%/prewarm.h \
	%D%/pulse.c %D%/pulse.h \
	%D%/put_back.c %D%/put_back.h \
	%D%/remarks.c %D%/remarks.h \
	%D%/resume.c %D%/resume.h \
	%D%/steps.c \
	%D%/stop.c %D%/stop.h \
	%D%/supervisor.c %D%/supervisor.h \
	%D%/sweep.c %D%/sweep.h \
	%D%/watch.c \
	%D%/work.h
