libramknee_a_SOURCES += %D%/report.h 
