SQL_FILES += \
	%D%/condition_1.sql \
	%D%/condition_2.sql \
	%D%/condition_3.sql \
	%D%/condition_4.sql \
	%D%/counts.sql \
	%D%/delivery.sql \
	%D%/indexes.sql \
	%D%/new_order.sql \
	%D%/order_status.sql \
	%D%/payment.sql \
	%D%/statistics.sql \
	%D%/stock_level.sql \
	%D%/tables.sql
