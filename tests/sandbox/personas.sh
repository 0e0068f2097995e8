#!/bin/sh
# What each persona of the sandbox shows to a client.
. "${srcdir:-.}/tests/lib/sandbox.sh"

plan 37

sql() { sandbox_sql "$who"; }
value() { sandbox_value "$who"; }
be() { # PERSONA
  who=$1
  sandbox_start "$1" --persona "$1" >/dev/null || exit 99
}
done_with() { sandbox_stop "$who" >/dev/null; }
set_max() { printf "exec sp_configure 'show advanced options', 1\nreconfigure\nexec sp_configure 'max server memory', %s\nreconfigure\ngo\n" "$1" | sql; }
total_mb() {
  total_kb=$(printf "select cntr_value as v from sys.dm_os_performance_counters where counter_name = 'Total Server Memory (KB)'\ngo\n" | value)
  echo $((total_kb / 1024))
}
property() { printf "select serverproperty('%s') as v\ngo\n" "$1" | value; }

ramknee-sandbox --persona nobody >/dev/null 2>"$sandbox_home/err"
is 'an unknown persona is refused' $? 1

be named-instance
is 'named-instance: the name' "$(property ServerName)" 'SANDBOX-NAMED-INSTANCE\RK'
is 'named-instance: the counters' \
  "$(printf "select count(*) as v from sys.dm_os_performance_counters where object_name = 'MSSQL\$RK:Memory Manager'\ngo\n" | value)" 5
done_with

be no-counters
is 'no-counters: none' "$(printf 'select count(*) as v from sys.dm_os_performance_counters\ngo\n' | value)" 0
done_with

be null-names
ok 'null-names: values without names' test "$(printf 'select count(*) as v from sys.dm_os_performance_counters where counter_name is null\ngo\n' | value)" -gt 10
done_with

be no-permission
like 'no-permission: sp_configure' "$(set_max 8192)" 'Msg 15247'
like 'no-permission: RECONFIGURE' "$(set_max 8192)" 'Msg 5812'
ok 'no-permission: but looking' test "$(total_mb)" -gt 0
done_with

be no-view
like 'no-view: counters' "$(printf 'select * from sys.dm_os_performance_counters\ngo\n' | sql)" 'Msg 300'
like 'no-view: but settings' "$(printf 'select * from sys.configurations\ngo\n' | sql)" 'max server memory'
done_with

be express
is 'express: its memory' "$(total_mb)" 3072
is 'express: its edition' "$(property EngineEdition)" 4
done_with

be standard-2012
is 'standard-2012: its memory' "$(total_mb)" 65536
is 'standard-2012: its version' "$(property ProductMajorVersion)" 11
done_with

be azure
like 'azure: no sp_configure' "$(set_max 8192)" 'Msg 2812'
like 'azure: no RECONFIGURE' "$(printf 'reconfigure\ngo\n' | sql)" 'Msg 40510'
done_with

be managed-instance
like 'managed-instance: RECONFIGURE' "$(set_max 8192)" 'Msg 5869'
done_with

be wont-shrink
set_max 8192 >/dev/null
is 'wont-shrink: memory stays above the target' "$(total_mb)" 229376
done_with

be slow-shrink
set_max 65536 >/dev/null
ok 'slow-shrink: not at once' test "$(total_mb)" -gt 65536
smaller() { [ "$(total_mb)" -lt 180000 ]; }
ok 'slow-shrink: but it goes down' wait_until 1200 smaller
done_with

be min-memory
is 'min-memory' "$(printf "select value as v from sys.configurations where name = 'min server memory (MB)'\ngo\n" | value)" 65536
like 'min-memory: a maximum below it is refused' "$(set_max 8192)" 'Msg 5831'
done_with

be pending-option
is 'pending-option' "$(printf 'select count(*) as v from sys.configurations where value <> value_in_use and configuration_id = 1538\ngo\n' | value)" 1
done_with

be no-login
set_max 8192 >/dev/null
like 'no-login: while starved' "$(printf 'select 1\ngo\n' | sql)" 'Msg 17803'
done_with

be drop
set_max 8192 >/dev/null
like 'drop: while starved' "$(printf 'select 1\ngo\n' | sql)" 'Msg 596'
done_with

be stall
set_max 8192 >/dev/null
printf 'select 7 as v\ngo\n' | TDSVER=7.4 timeout 3 tsql -H 127.0.0.1 -p "$sandbox_port" -U sa -P x >"$sandbox_home/out" 2>&1
is 'stall: no answer while starved' $? 124
done_with

be large-pages
is 'large-pages' "$(printf 'select sql_memory_model as v from sys.dm_os_sys_info\ngo\n' | value)" 3
done_with

be reconfigure-fails
like 'reconfigure-fails' "$(set_max 8192)" 'Msg 5808'
done_with

be reconfigure-fails-5831
like 'reconfigure-fails-5831' "$(set_max 8192)" 'Msg 5831'
done_with

be localised
said=$(printf 'select * from nix\ngo\n' | sql)
like 'localised: the number' "$said" 'Msg 208'
like 'localised: the text' "$said" 'Objektname'
done_with

be other-instance
is 'other-instance: at first itself' "$(property ServerName)" SANDBOX-OTHER-INSTANCE
set_max 8192 >/dev/null
another() { [ "$(property ServerName)" = SANDBOX-OTHER-INSTANCE-B ]; }
ok 'other-instance: then another' wait_until 600 another
done_with

be intervened
set_max 8192 >/dev/null
theirs() { [ "$(printf "select value_in_use as v from sys.configurations where name = 'max server memory (MB)'\ngo\n" | value)" = 150000 ]; }
ok 'intervened: a DBA sets another value' wait_until 600 theirs
done_with

be restart
ticks() { printf 'select sqlserver_start_time_ms_ticks as v from sys.dm_os_sys_info\ngo\n' | value; }
first=$(ticks)
set_max 8192 >/dev/null
later() { now=$(ticks) && [ -n "$now" ] && [ "$now" -gt "$first" ]; }
ok 'restart: other ticks of its start' wait_until 600 later
is 'restart: what was set runs on' "$(total_mb)" 8192
done_with

be deadlock
like 'deadlock: the fiftieth request' "$(awk 'BEGIN {for (i = 0; i < 50; i++) print "select 1\ngo"}' | sql)" 'Msg 1205'
done_with
