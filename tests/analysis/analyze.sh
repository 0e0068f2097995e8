#!/bin/sh
# ramknee analyze as a person meets it: tables of others, good and bad.
. "${srcdir:-.}/tests/lib/sandbox.sh"
out=$sandbox_home/out err=$sandbox_home/err table=$sandbox_home/table
curves=${top_srcdir:-.}/tests/analysis/curves
said() { # STATUS DESCRIPTION: the last command's status as a test, with what was printed when it failed
  if [ "$1" -eq 0 ]; then tap_line ok "$2"; else tap_line 'not ok' "$2"; sed 's/^/# /' "$out" "$err" | head -n 20; fi
}
run() { # STATUS ARGUMENTS...: run ramknee analyze, look at its exit status
  want=$1
  shift
  ramknee analyze "$@" >"$out" 2>"$err" </dev/null
  [ $? -eq "$want" ]
}
storagereview() {
  printf 'memory_GB,p95_ms,p99_ms\n128,2.5,5\n96,2.5,5\n64,2.5,5\n32,4.15,9\n16,12.5,20\n8,31.6,50\n'
}

storagereview >"$table"
run 0 "$table" && grep -q 'Plateau edge between 32 GB and 64 GB' "$out" && grep -q 'Knee between 16 GB and 32 GB' "$out" && [ ! -s "$err" ]
said $? "a table as text: edge and knee"
grep -q 'noise of 3 % a point is assumed' "$out" && grep -q 'operating system' "$out" && grep -q 'workload' "$out"
said $? "it says what it assumes and what it is good for"
storagereview | ramknee analyze - >"$out" 2>"$err" && grep -q 'Knee between 16 GB and 32 GB' "$out"
said $? "a table from the standard input"
run 0 "$table" --slo p95=5ms --slo p99=9000us && grep -q 'p95_ms at or below 5 ms is 32 GB' "$out" && grep -q 'p99_ms at or below 9 ms is likely 32 GB' "$out"
said $? "limits, in units of their own"
run 0 "$table" --noise 20% && grep -q 'noise of 20 %' "$out"
said $? "another noise"
run 0 "$table" --format json && python3 -c '
import json, sys
v = json.load(open(sys.argv[1]))
assert v["plateau"] == "edge" and v["edge"]["b"] == 65536 and v["knee"]["a"] == 16384, v
assert len(v["points"]) == 6 and v["noise_assumed"] is True and v["second_knee"] is None
assert all(isinstance(s, str) for s in v["sentences"])' "$out" 2>>"$err"
case $? in
0) tap_line ok "as JSON" ;;
*) if command -v python3 >/dev/null; then said 1 "as JSON"; else tap_line ok "as JSON # SKIP no python3"; fi ;;
esac

run 0 "$curves/perc2018_mysql8_nobinlog.tsv" && grep -q 'Plateau not reached' "$out" && grep -q 'No knee' "$out"
said $? "a curve that still rises"
run 0 "$curves/oracle_docs_dbcacheadvice.tsv" --metric estd_phys_reads && grep -q 'MB' "$out"
said $? "a metric by its name"

printf 'memory\tlatency\n128\t2.5\n64\t2.5\n32\t4\n16\t12\n' >"$table"
run 0 "$table" && grep -q 'names no unit' "$out" && run 0 "$table" --memory-unit GB && grep -q '128 GB' "$out"
said $? "a unit from the command line"
run 1 "$table" --slo latency=5ms && grep -q -- '--unit' "$err"
said $? "a limit in ms against a latency of unknown unit is refused"
run 0 "$table" --slo latency=5ms --unit ms && grep -q 'at or below 5 ms' "$out"
said $? "and taken with --unit"

printf '# made by hand\nmemory_GB\tp95_ms\n128\t2.5\n64\tfast\n32\t4\n16\t12\n8\n' >"$table"
run 2 "$table" && grep -q 'line 4 ' "$err" && grep -q "'fast'" "$err" && grep -q 'line 7 ' "$err" && grep -q 'Knee' "$out"
said $? "bad rows are named by line, status 2"
printf 'memory_GB\tp95_ms\n128\t2.5\n64\tfast\n32\t4\n' >"$table"
run 1 "$table" && grep -q 'line 3' "$err" && [ ! -s "$out" ]
said $? "too few rows: status 1"
run 1 "$sandbox_home/none" && grep -q 'No such file' "$err"
said $? "no such table"
printf 'x,y\n1,2\n2,3\n3,4\n' >"$table"
run 1 "$table" && grep -q -- '--memory' "$err"
said $? "columns that nobody knows: what to type"
run 1 "$table" --memory x --metric y && grep -q -- '--sense' "$err" && run 0 "$table" --memory x --metric y --sense less
said $? "and chosen"
head -c 3000 /dev/urandom >"$table"
run 1 "$table" && [ -s "$err" ] && [ ! -s "$out" ]
said $? "what is no text is refused"
for bad in --noise=0 --noise=200% --tolerance=60% --sense=up --unit=h --format=xml --seed=x; do
  run 1 "$curves/perc2026a_hdb_mysql848.tsv" "$bad" && grep -q -- "$(echo "$bad" | sed 's/=.*//')" "$err"
  said $? "$bad is refused by name"
done
for bad in p95 =5ms p95= p95=-1ms p95=5parsec p50=5ms p95=0; do
  storagereview >"$table"
  run 1 "$table" --slo "$bad" && [ -s "$err" ] && [ ! -s "$out" ]
  said $? "the limit $bad is refused"
done
if [ -w /dev/full ]; then
  ramknee analyze "$curves/perc2026a_hdb_mysql848.tsv" >/dev/full 2>"$err"
  [ $? -eq 2 ] && grep -q 'standard output' "$err"
  said $? "a full disk on the standard output: status 2"
fi
plan "$tap_n"
