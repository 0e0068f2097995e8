#!/bin/sh
# The sampler's statements on a sandbox: what it knows comes, what a persona withholds is absent, never zero.
. "$top_srcdir/tests/lib/sandbox.sh"
show=$top_builddir/tests/sample/show-sample

value() { sed -n "s/^$1 \{0,1\}//p" "$out"; }
# Whole numbers above zero under all these names.
known() {
  for name; do
    [ "$(value "$name")" -gt 0 ] 2>/dev/null || { echo "# $name is '$(value "$name")'"; return 1; }
  done
}
absent() {
  for name; do
    grep -qx "$name" "$out" || { echo "# $name is '$(value "$name")'"; return 1; }
  done
}
look() {
  out=$sandbox_home/$1.txt
  sandbox_sql "$1" <<'SQL' >/dev/null
CREATE DATABASE sampled
go
SQL
  "$show" "sandbox:$1" sampled >"$out" 2>&1
}

plan 9
sandbox_start plain || exit 1
ok "a sample of a sandbox" look plain
ok "counters" known page_lookups total_memory_kb target_memory_kb database_cache_kb database_pages target_pages batch_requests
ok "files and processors" known data_size_bytes tempdb_read_bytes cpu_ms schedulers start_ticks
ok "the hit ratio is a ratio" [ "$(value cache_hit_ppm)" -gt 0 -a "$(value cache_hit_ppm)" -le 1000000 ]
ok "the sampler's thread takes one a second" [ "$(grep -c '^thread .* read$' "$out")" -eq 2 ]
sandbox_stop plain

sandbox_start none --persona no-counters || exit 1
ok "a sample without counters" look none
ok "its counters are absent" absent page_reads page_lookups total_memory_kb cache_hit_ppm batch_requests
ok "its files are there" known data_size_bytes tempdb_read_bytes cpu_ms
sandbox_stop none

sandbox_start nameless --persona null-names || exit 1
look nameless
ok "nameless counters are absent" absent page_reads total_memory_kb cache_hit_ppm
