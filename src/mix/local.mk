libramknee_a_SOURCES += %D%/load.h %D%/mix.h %D%/orders.h \
	%D%/mix.c \
	%D%/orders.c \
	%D%/orders_draw.c \
	%D%/orders_load.c \
	%D%/orders_rows.c
