libramknee_a_SOURCES += %D%/drive.h 
