#!/bin/sh
# The bytes read that SQL shows are those that the engine's process has read from the device, at a large and at a small setting.
. "${srcdir:-.}/tests/lib/sandbox.sh"

plan 8

engine_read() { sed -n 's/^read_bytes: //p' "/proc/$engine/io"; }
sql_read() {
  printf 'select sum(num_of_bytes_read) as v from sys.dm_io_virtual_file_stats(null, null)\ngo\n' | sandbox_value reads
}
stalls() {
  printf 'select sum(io_stall_read_ms) as v from sys.dm_io_virtual_file_stats(null, null)\ngo\n' | sandbox_value reads
}
counter() {
  printf "select cntr_value as v from sys.dm_os_performance_counters where counter_name = '%s' and object_name like '%%Buffer Manager'\ngo\n" "$1" |
    sandbox_value reads
}

sandbox_start reads >/dev/null || exit 99
engine=$(sed 's/ .*//' "$sandbox_folder/engine.pid")
if ! [ -r "/proc/$engine/io" ]; then
  echo '1..0 # SKIP /proc/PID/io cannot be read here'
  exit 0
fi

# 160 MB in the engine, above the 128 MB of the large setting: the rows double in place.
{
  echo 'create database data'
  echo 'go'
  echo 'use data'
  echo 'create table t (a int not null primary key, pad varchar(400) not null)'
  echo "insert t values (0, replicate('x', 320))"
  n=1
  while [ $n -lt 524288 ]; do
    echo "insert t select a + $n, pad from t"
    n=$((n * 2))
  done
  echo 'go'
} | sandbox_sql reads >/dev/null
is 'the table is filled' "$(printf 'select count(*) as v from data.dbo.t\ngo\n' | sandbox_value reads)" 524288

for mb in 131072 8192; do
  printf "exec sp_configure 'show advanced options', 1\nreconfigure\nexec sp_configure 'max server memory', %s\nreconfigure\ngo\n" $mb |
    sandbox_sql reads >/dev/null
  sql_before=$(sql_read) engine_before=$(engine_read) pages_before=$(counter 'Page reads/sec') stall_before=$(stalls)
  for turn in 1 2; do
    printf "select count(*) as v from data.dbo.t where pad like '%%y%d'\ngo\n" $turn | sandbox_sql reads >/dev/null
  done
  by_sql=$(($(sql_read) - sql_before)) by_engine=$(($(engine_read) - engine_before))
  pages=$(($(counter 'Page reads/sec') - pages_before))
  echo "# $mb MB: by SQL $by_sql, by /proc $by_engine bytes, $pages pages, $(($(stalls) - stall_before)) ms of stalls"
  ok "$mb MB: pages are read from the device" test "$by_engine" -gt 20000000
  ok "$mb MB: bytes by SQL agree with /proc within 10 %" test "$((by_sql * 10))" -ge "$((by_engine * 9))" -a "$((by_sql * 10))" -le "$((by_engine * 11))"
  ok "$mb MB: so do the pages" test "$((pages * 8192 * 10))" -ge "$((by_engine * 9))" -a "$((pages * 8192 * 10))" -le "$((by_engine * 11))"
done
ok 'reads have stalls' test "$(stalls)" -gt 0
