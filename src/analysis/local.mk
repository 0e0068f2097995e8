libramknee_a_SOURCES += %D%/hist.c %D%/hist.h %D%/verdict.h
