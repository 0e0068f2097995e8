libsandbox_a_SOURCES += %D%/field.h %D%/listener.h %D%/reply.h %D%/session.h
