# The pure part: statistics, steadiness, verdict.
libramknee_a_SOURCES += %D%/hist.c %D%/hist.h %D%/stats.c %D%/stats.h %D%/seconds.c %D%/bootstrap.c %D%/bootstrap.h
libramknee_a_SOURCES += %D%/curve.c %D%/curve.h %D%/knee.c %D%/knee.h %D%/verdict.c %D%/verdict.h
