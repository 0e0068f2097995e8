libramknee_a_SOURCES += %D%/load.h %D%/load_private.h %D%/mix.h %D%/orders.h \
	%D%/drop.c \
	%D%/jobs.c \
	%D%/load.c \
	%D%/load_plan.c \
	%D%/mix.c \
	%D%/orders.c \
	%D%/orders_draw.c \
	%D%/orders_load.c \
	%D%/orders_rows.c
