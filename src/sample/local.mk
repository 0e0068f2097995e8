libramknee_a_SOURCES += %D%/sample.h 
