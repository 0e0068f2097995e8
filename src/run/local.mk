libramknee_a_SOURCES += %D%/record.h %D%/run.h 
