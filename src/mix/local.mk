libramknee_a_SOURCES += %D%/load.h %D%/mix.h 
