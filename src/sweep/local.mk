libramknee_a_SOURCES += %D%/sweep.h 
