#!/bin/sh
# FreeTDS's own programs, tsql and freebcp, against the whole sandbox: log-in, the prompt, bulk loads, good and bad.
. "${srcdir:-.}/tests/lib/sandbox.sh"

plan 45

sandbox_start one >/dev/null || exit 99
sql() { sandbox_sql one "$@"; }
value() { sandbox_value one "$@"; }
work=$sandbox_home/work
mkdir "$work"
bcp() { # TABLE in|out FILE [OPTION...]
  bcp_table=$1 bcp_way=$2 bcp_file=$3
  shift 3
  timeout 300 freebcp "$bcp_table" "$bcp_way" "$bcp_file" -S "127.0.0.1:$sandbox_port" -U sa -P x -c "$@" >"$work/out" 2>&1
}
copied() { sed -n 's/^\([0-9]*\) rows copied.*/\1/p' "$work/out"; }
no_connections() { # but the one that asks
  [ "$(printf 'select count(*) as v from sys.dm_exec_sessions where is_user_process = 1\ngo\n' | value)" = 1 ]
}

# ---- tsql: what people ask at a prompt ----
like '@@VERSION' "$(printf 'select @@version\ngo\n' | sql)" 'not a Microsoft SQL Server'
is '@@SPID is that of a user' "$([ "$(printf 'select @@spid as v\ngo\n' | value)" -gt 50 ] && echo yes)" yes
is '@@SERVERNAME' "$(printf 'select @@servername as v\ngo\n' | value)" SANDBOX-ONE
is 'DB_NAME()' "$(printf 'select db_name() as v\ngo\n' | value)" master
is 'SERVERPROPERTY' "$(printf "select serverproperty('ProductMajorVersion') as v\ngo\n" | value)" 16
printf 'create database shop\ngo\n' | sql >/dev/null
is 'USE' "$(printf 'use shop\ngo\nselect db_name() as v\ngo\n' | value)" shop
is 'a database at log-in' "$(printf 'select db_name() as v\ngo\n' | value shop)" shop
like 'a missing database at log-in' "$(printf 'select 1\ngo\n' | sql nix)" 'Msg 4060'
like 'sp_configure' "$(printf 'exec sp_configure\ngo\n' | sql)" 'show advanced options'
for view in sys.configurations sys.dm_os_performance_counters sys.dm_os_sys_info sys.dm_os_process_memory sys.dm_os_wait_stats \
  sys.database_files 'sys.dm_io_virtual_file_stats(null, null)'; do
  like "SELECT * FROM $view" "$(printf 'select * from %s\ngo\n' "$view" | sql)" 'affected)'
done
like 'an unknown object' "$(printf 'select * from nix\ngo\n' | sql)" 'Msg 208'
like 'an unknown procedure' "$(printf 'exec nix\ngo\n' | sql)" 'Msg 2812'
printf "create table shop.dbo.text (a int not null primary key, b nvarchar(40))\ninsert shop.dbo.text values (1, N'Zo\303\253 \342\202\254 \360\237\230\200')\ngo\n" |
  sql >/dev/null
is 'text beyond ASCII comes back' "$(printf 'select b as v from text\ngo\n' | value shop)" "$(printf 'Zo\303\253 \342\202\254 \360\237\230\200')"
awk 'BEGIN {for (i = 0; i < 3000; i++) print "-- a line of a batch of many packets"; print "select 42 as v"; print "go"}' >"$work/long.sql"
is 'a batch of 200 kB' "$(value <"$work/long.sql")" 42

# ---- freebcp ----
printf 'create table shop.dbo.goods (id int not null primary key, big bigint null, name varchar(30) null, wide nvarchar(20) null,
  price decimal(12,4) null, ratio float null, made datetime null)\ngo\n' | sql >/dev/null
awk 'BEGIN {for (i = 1; i <= 5000; i++)
  printf "%d\t%.0f\tname %d\twide %d\t%d.%04d\t%d.5\t2026-11-30 15:04:%02d\n", i, i * 4000000000, i, i, i, i % 10000, i, i % 60}' >"$work/goods"
count() { printf 'select count(*) as v from shop.dbo.%s\ngo\n' "$1" | value; }
ok 'freebcp loads' bcp shop.dbo.goods in "$work/goods" -b 1000
is '... says how many' "$(copied)" 5000
is '... and they are there' "$(count goods)" 5000
is 'an int' "$(printf 'select max(id) as v from goods\ngo\n' | value shop)" 5000
is 'a bigint' "$(printf 'select big as v from goods where id = 4999\ngo\n' | value shop)" 19996000000000
is 'a varchar' "$(printf 'select name as v from goods where id = 77\ngo\n' | value shop)" 'name 77'
is 'an nvarchar' "$(printf 'select wide as v from goods where id = 77\ngo\n' | value shop)" 'wide 77'
is 'a decimal' "$(printf 'select price as v from goods where id = 77\ngo\n' | value shop)" '77.0077'
is 'a float' "$(printf 'select ratio as v from goods where id = 77\ngo\n' | value shop)" '77.5'
like 'a datetime' "$(printf 'select made as v from goods where id = 77\ngo\n' | value shop)" 'Nov 30 2026 03:04'
printf '6001\t\t\t\t\t\t\n' >"$work/nulls"
ok 'empty fields load' bcp shop.dbo.goods in "$work/nulls"
is '... as NULL' "$(printf 'select count(*) as v from goods where big is null and name is null and price is null and made is null\ngo\n' | value shop)" 1
ok 'freebcp unloads' bcp shop.dbo.goods out "$work/back"
is '... all rows' "$(wc -l <"$work/back" | tr -d ' ')" 5001
printf 'create table shop.dbo.again (id int not null primary key, big bigint null, name varchar(30) null, wide nvarchar(20) null,
  price decimal(12,4) null, ratio float null, made datetime null)\ngo\n' | sql >/dev/null
ok 'what was unloaded loads' bcp shop.dbo.again in "$work/back" -A 32767
is '... and is the same' "$(printf 'select count(*) as v from goods g join again a on a.id = g.id and a.price = g.price and a.name = g.name and a.made = g.made\ngo\n' |
  value shop)" 5000

# ---- loads that must not leave anything ----
printf '9001\t1\tnew\t\t\t\t\n77\t1\ttwice\t\t\t\t\n' >"$work/twice"
bcp shop.dbo.goods in "$work/twice"
like 'a key that is there already' "$(cat "$work/out")" 'Msg 2627'
is '... rolls the batch back' "$(count goods)" 5001
bcp shop.dbo.nix in "$work/goods"
like 'a table that is not there' "$(cat "$work/out")" 'Msg 208'
mkfifo "$work/pipe"
# freebcp in the middle of a stream, then killed: nothing of it may stay.
freebcp shop.dbo.goods in "$work/pipe" -S "127.0.0.1:$sandbox_port" -U sa -P x -c -b 100000 >"$work/out" 2>&1 &
loader=$!
(
  awk 'BEGIN {for (i = 10001; i <= 30000; i++) printf "%d\t1\tname\twide\t1\t1\t2026-11-30\n", i}'
  : >"$work/fed" # all but what fits the pipe has been read
  exec sleep 600
) >"$work/pipe" &
feeder=$!
wait_until 1200 test -e "$work/fed"
kill -KILL "$loader"
wait "$loader" 2>/dev/null
kill "$feeder"
wait "$feeder" 2>/dev/null
ok 'a killed loader is noticed' wait_until 600 no_connections
is '... and its rows are rolled back' "$(count goods)" 5001

# ---- passwords ----
(umask 077 && printf 'secret\n' >"$work/password")
sandbox_start two --password-file "$work/password" >/dev/null
log_in() { printf 'select 7 as v\ngo\n' | TDSVER=7.4 timeout 300 tsql -H 127.0.0.1 -p "$sandbox_port" -U "$1" -P "$2" 2>&1; }
like 'the right password' "$(log_in sa secret)" 7
like 'a wrong password' "$(log_in sa Secret)" 'Msg 18456'
ok 'the sandbox lives on' kill -0 "$(sandbox_pid_of one)"
ok '... and ends in order' sandbox_stop one
