include sql/sandbox/server/local.mk
include sql/sandbox/orders/local.mk
