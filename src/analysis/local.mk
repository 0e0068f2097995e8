libramknee_a_SOURCES += %D%/hist.h %D%/verdict.h 
