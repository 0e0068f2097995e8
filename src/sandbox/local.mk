libsandbox_a_SOURCES += \
	%D%/arena.c %D%/arena.h \
	%D%/bulk_in.c %D%/bulk_in.h \
	%D%/client.c %D%/client.h \
	%D%/cursor.h \
	%D%/field.h \
	%D%/listener.c %D%/listener.h \
	%D%/packet.c %D%/packet.h \
	%D%/reply.h \
	%D%/session.h \
	%D%/tds_in.c %D%/tds_in.h \
	%D%/tds_out.c %D%/tds_out.h \
	%D%/tds_text.c %D%/tds_text.h \
	%D%/tds_type.c %D%/tds_type.h \
	%D%/tds_value.c \
	%D%/utf16.c %D%/utf16.h
