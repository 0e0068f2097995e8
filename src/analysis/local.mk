# The pure part: statistics, steadiness, verdict.
libramknee_a_SOURCES += %D%/hist.c %D%/hist.h %D%/stats.c %D%/stats.h %D%/seconds.c %D%/bootstrap.c %D%/bootstrap.h
libramknee_a_SOURCES += %D%/steady.c %D%/steady.h
libramknee_a_SOURCES += %D%/hdr_text.c %D%/hdr_text.h %D%/refine.c %D%/refine.h
libramknee_a_SOURCES += %D%/sheet.c %D%/sheet.h %D%/sheet_mend.c %D%/heading.c %D%/heading.h %D%/points.c %D%/points.h
libramknee_a_SOURCES += %D%/curve.c %D%/curve.h %D%/knee.c %D%/knee.h %D%/verdict.c %D%/verdict.h
libramknee_a_SOURCES += %D%/verdict_words.c %D%/verdict_words.h
libramknee_a_SOURCES += %D%/visits.c %D%/visits.h
