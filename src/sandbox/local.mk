libsandbox_a_SOURCES += %D%/field.h %D%/reply.h %D%/session.h
