libbase_a_SOURCES += \
	%D%/cause.c %D%/cause.h \
	%D%/clock.c %D%/clock.h \
	%D%/embed.c %D%/embed.h \
	%D%/file.c %D%/file.h \
	%D%/log.c %D%/log.h \
	%D%/random.c %D%/random.h \
	%D%/sqltext.c %D%/sqltext.h \
	%D%/text.c %D%/text.h \
	%D%/thread.c %D%/thread.h \
	%D%/units.c %D%/units.h
