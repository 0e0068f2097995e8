libramknee_a_SOURCES += %D%/journal.h %D%/knob.h 
