libramknee_a_SOURCES += %D%/conn.h %D%/target.h 
