#!/bin/sh
# What the sandbox makes of batches that people type: queries, tables, transactions, procedures.  (tests/sandbox/clients.sh tries the tools.)
. "${srcdir:-.}/tests/lib/sandbox.sh"

plan 25

sandbox_start prompt >/dev/null || exit 99
sql() { sandbox_sql prompt "$@"; }
value() { sandbox_value prompt "$@"; }

# ---- queries over the system views ----
is 'some columns, a WHERE' "$(printf "select value_in_use as v from sys.configurations where name = N'max server memory (MB)'\ngo\n" | value)" 2147483647
is 'an ORDER BY, a TOP' "$(printf 'select top 1 name as v from sys.databases order by database_id\ngo\n' | value)" master
is 'the files of a database by DB_ID()' \
  "$(printf 'select count(*) as v from sys.dm_io_virtual_file_stats(db_id(), null) as s where s.database_id = db_id()\ngo\n' | value)" 1
is 'the engine has a process' \
  "$(printf "select count(*) as v from sys.dm_os_process_memory where physical_memory_in_use_kb > 1000000\ngo\n" | value)" 1
is 'who is there' "$(printf "select count(*) as v from sys.dm_exec_sessions where session_id = @@spid and login_name = 'sa'\ngo\n" | value)" 1
is 'CONVERT' "$(printf "select convert(int, serverproperty(N'EngineEdition')) as v\ngo\n" | value)" 3

is 'an expression without an alias has no name' \
  "$(printf "select count(*), 1, name, database_id + 1, 'x' as y from sys.databases where database_id = 1\ngo\n" | sql | grep name)" '		name		y'
is '... and DISTINCT, ORDER BY and a subquery work beside it' \
  "$(printf 'select distinct top 1 (select count(*) from sys.databases d where d.database_id <= s.database_id) from sys.databases as s order by 1\ngo\n' | sql | grep -x '[0-9]*' | tail -n 1)" 1

# ---- tables and transactions ----
sql >/dev/null <<'SQL'
create database shop
go
use shop
create table dbo.t (a int not null primary key, b varchar(20), c nvarchar(20), d decimal(10, 2), e varbinary(10), f datetime, g float, h bit, i bigint)
insert into dbo.t (a, b, c, d, e, f, g, h, i) values (1, 'it''s', N'grün', -12.34, 0x00ff, '2026-01-02 03:04:05.677', 1.5, 1, 9007199254740993)
go
SQL
is 'a table is made and filled' "$(printf 'select count(*) as v from shop.dbo.t\ngo\n' | value)" 1
like 'every type comes back' "$(printf 'select b, c, d, e, g, h, i from t\ngo\n' | sql shop | tr '\t' '|')" \
  "it's|grün|-12.34|00ff|1.5|1|9007199254740993"
is 'ROLLBACK takes back' "$(printf 'begin tran\ninsert t (a) values (2)\nrollback\nselect count(*) as v from t\ngo\n' | value shop)" 1
is 'COMMIT keeps' "$(printf 'begin transaction\ninsert t (a) values (2)\nselect @@trancount as n\ncommit tran\nselect count(*) as v from t\ngo\n' | value shop)" 2
is 'transactions nest in count only' \
  "$(printf 'begin tran\nbegin tran\ninsert t (a) values (3)\ncommit\nselect @@trancount as v\nrollback\ngo\n' | value shop)" 1
is 'a savepoint' "$(printf 'begin tran\nsave tran s\ninsert t (a) values (3)\nrollback tran s\ncommit\nselect count(*) as v from t\ngo\n' | value shop)" 2
printf 'begin tran\ninsert t (a) values (9)\ngo\n' | sql shop >/dev/null
nothing_left() { [ "$(printf 'delete t where a = 9\nselect count(*) as v from t\ngo\n' | value shop)" = 2 ]; }
ok 'a session that goes rolls back' wait_until 600 nothing_left
is 'a broken constraint ends its statement' "$(printf 'insert t (a) values (1)\nselect 7 as v\ngo\n' | value shop)" 7
is 'with XACT_ABORT it ends the batch' "$(printf 'set xact_abort on\ninsert t (a) values (1)\nselect 7 as v\ngo\n' | value shop)" ''
is '... and the transaction' \
  "$(printf 'set xact_abort on\nbegin tran\ninsert t (a) values (5)\ninsert t (a) values (1)\ngo\nselect @@trancount * 10 + count(*) as v from t\ngo\n' | value shop)" 2
is 'an unknown name ends the batch' "$(printf 'select * from nix\nselect 7 as v\ngo\n' | value shop)" ''
is '... and not the next' "$(printf 'insert t (a) values (1)\ngo\nselect 7 as v\ngo\n' | value shop)" 7

# ---- procedures and options ----
like 'sp_configure without EXEC, then RECONFIGURE' \
  "$(printf "sp_configure 'show advanced options', 1\nreconfigure with override\nexec sp_configure\ngo\n" | sql)" 'max server memory (MB)'
like 'parameters by name, in any order' "$(printf "exec sys.sp_configure @configvalue = 4, @configname = 'max degree of parallelism'\ngo\n" | sql)" 'from 0 to 4'
like 'options of a database are taken, and said to mean nothing' "$(printf 'alter database shop set recovery simple\ngo\n' | sql)" 'taken without an effect'
is '... but the level' "$(printf "alter database [shop] set compatibility_level = 110\ngo\nselect compatibility_level as v from sys.databases where name = 'shop'\ngo\n" | value)" 110
is 'DROP DATABASE' "$(printf "drop database shop\ngo\nselect count(*) as v from sys.databases where name = 'shop'\ngo\n" | value)" 0
