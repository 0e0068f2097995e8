SQL_FILES += sql/sandbox/engine/schema.sql
include sql/sandbox/server/local.mk
include sql/sandbox/load/local.mk
include sql/sandbox/orders/local.mk
