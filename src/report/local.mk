libramknee_a_SOURCES += \
	%D%/asked.c \
	%D%/axes.c %D%/axes.h \
	%D%/b64.c %D%/b64.h \
	%D%/day.c %D%/day.h \
	%D%/day_report.c \
	%D%/day_words.c \
	%D%/draw.c \
	%D%/figures.c %D%/figures.h \
	%D%/account.c %D%/account.h \
	%D%/hdr.c %D%/hdr.h \
	%D%/html.c %D%/html.h \
	%D%/join.c %D%/join.h \
	%D%/joined.c \
	%D%/meta.c %D%/meta.h \
	%D%/moderate.c %D%/moderate.h \
	%D%/noted.c \
	%D%/outside.c %D%/outside.h \
	%D%/places.c %D%/places.h \
	%D%/plot.c %D%/plot.h \
	%D%/pool.c %D%/pool.h \
	%D%/pressure.c \
	%D%/report.c %D%/report.h \
	%D%/resample.c %D%/resample.h \
	%D%/sessions.c \
	%D%/summary.c %D%/summary.h \
	%D%/table.c \
	%D%/tables.c %D%/tables.h \
	%D%/verdict_json.c %D%/verdict_json.h \
	%D%/warnings.c \
	%D%/words.c %D%/words.h \
	%D%/words_visits.c \
	%D%/words_why.c \
	%D%/write.c %D%/write.h
