libramknee_a_SOURCES += %D%/hist.c %D%/hist.h %D%/verdict.c %D%/verdict.h %D%/curve.c %D%/curve.h %D%/knee.c %D%/knee.h \
	%D%/stats.c %D%/stats.h
