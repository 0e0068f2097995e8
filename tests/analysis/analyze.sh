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
grep -q 'gives 2 points' "$err" && printf 'memory_GB\tp95_ms\n128\t2.5\n' >"$table" && run 1 "$table" && grep -q 'gives 1 point of' "$err"
said $? "and counted"
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

# ---- --to: what a run's report has ----
folder=$sandbox_home/to
files() { # FOLDER FILE...: all are there and not empty
  in=$1
  shift
  for f; do [ -s "$in/$f" ] || { echo "# no $f"; return 1; }; done
}
redrawn() { # FOLDER NAME...: plain gnuplot draws the same pictures
  in=$1
  shift
  for f; do
    cp "$in/plots/$f.png" "$sandbox_home/was.png" && rm "$in/plots/$f.png"
    (cd "$in" && gnuplot "plots/$f.gp") >"$err" 2>&1
    [ ! -s "$err" ] && cmp -s "$sandbox_home/was.png" "$in/plots/$f.png" || { echo "# $f"; return 1; }
  done
}
printf 'memory_GB,p50_ms,p95_ms,p99_ms,tps,read_MB_s\n128,1,2.5,5,400,3\n96,1,2.5,5,401,4\n64,1,2.5,5,399,6\n32,1.4,4.15,9,390,48\n16,3,12.5,20,350,140\n8,9,31.6,50,300,230\n' >"$table"
if command -v gnuplot >/dev/null; then
  run 0 "$table" --to "$folder" --slo p95=5ms && files "$folder" report.html verdict.json summary.txt steps.tsv plots/headline.png plots/latency.png \
    plots/reads.png plots/throughput.png && grep -q 'report.html has everything' "$out" && [ ! -s "$err" ] && [ ! -e "$folder/plots/timeline.gp" ]
  said $? "--to: pictures, page, verdict and table"
  redrawn "$folder" headline latency reads throughput
  said $? "each script draws the same picture again by plain gnuplot"
  run 0 "$curves/ibm_db2_bpa_separate.tsv" --to "$folder" && files "$folder" plots/reads.png && [ ! -e "$folder/plots/latency.png" ] &&
    [ ! -e "$folder/plots/headline.gp" ] && grep -q 'memory.*pages\|total_pages' "$folder/plots/reads.gp" && redrawn "$folder" reads
  said $? "only what the columns give; memory in pages; pictures of an earlier table go away"
  run 0 "$curves/perc2026a_hdb_mysql848.tsv" --to "$folder" && files "$folder" plots/throughput.png && grep -q "'NOPM'" "$folder/plots/throughput.gp" &&
    grep -q 'throughput plateau edge\|throughput knee' "$folder/plots/throughput.gp" && redrawn "$folder" throughput
  said $? "throughput by its own name"
  printf 'cache %%\tlatency\n10\t9\n20\t5\n40\t3\n80\t3\n' >"$table.2"
  run 0 "$table.2" --to "$folder" && grep -q '^step.row.memory.*.mean.mean_lo' "$folder/steps.tsv" && redrawn "$folder" latency
  said $? "a latency of unknown unit is not called milliseconds"
else
  tap_line ok "pictures # SKIP no gnuplot"
fi
run 0 "$table" --to "$folder" --no-pictures --slo p95=5ms && grep -q '^knee_a = 16; knee_b = 32$' "$folder/plots/headline.gp" &&
  [ ! -e "$folder/plots/headline.png" ] && grep -q 'p95 limit 5 ms' "$folder/plots/latency.gp" && ! grep -q '<<' "$folder"/plots/*.gp
said $? "--no-pictures: the scripts, with knee and limit"
grep -q 'Measurements of others' "$folder/report.html" && grep -q 'Knee between 16 GB and 32 GB' "$folder/report.html" && grep -q '"judged": "p95_ms"' "$folder/verdict.json"
said $? "the page and verdict.json say the same"
cp "$folder/verdict.json" "$sandbox_home/verdict" && touch "$folder/run.json"
run 1 "$table" --to "$folder" && grep -q 'is a run folder' "$err" && [ ! -s "$out" ]
said $? "a run folder is refused"
run 1 "$table" --to /dev/null/x && [ -s "$err" ]
said $? "a folder that cannot be made"
run 0 "$table" && grep -q -- '--to FOLDER' "$out"
said $? "without --to: told how"
printf 'engine,memory_GB,tps\na,8,10\na,16,20\na,32,20\na,64,20\nb,8,50\nb,16,80\nb,32,130\nb,64,220\n' >"$table"
run 0 "$table" --where engine=A && grep -q 'Plateau edge between 8 GB and 16 GB' "$out" && run 0 "$table" --where 1=b && grep -q 'not reached' "$out" &&
  run 1 "$table" --where engine=c && run 1 "$table" --where colour=a && run 1 "$table" --where engine
said $? "--where takes one of several things, and refuses what is not there"
run 0 "$table" && grep -q 'largest is .* times the smallest: if these rows tell of different things' "$out"
said $? "rows of one memory that differ much are told of"
printf 'bp_GB,physical_reads\n1,1000000\n2,500000\n4,100000\n8,1000\n16,0\n32,0\n' >"$table"
run 0 "$table" && grep -q 'Plateau edge between 8 GB and 16 GB' "$out" && grep -q 'Knee between 4 GB and 8 GB' "$out" && grep -q '2 rows have 0.*: 500' "$out"
said $? "no reads at all are a plateau, not bad rows"
printf 'bp_GB,reads\n1,0\n2,0\n4,0\n' >"$table"
run 1 "$table" && grep -q 'gives 0 points' "$err"
said $? "nothing but zeros cannot be judged"
printf 'memory_GB,TPS +/- sd\n8,1000 +/- 20\n16,2000 +/- 30\n126.5,2010 +/- 40\n' >"$table"
run 0 "$table" && grep -q 'more is better' "$out" && grep -q '126.5 GB' "$out" && ! grep -q 'is assumed' "$out"
said $? "a +/- in the heading leaves its name alone"
printf 'bp_GB,avg_latency,95pct_latency\n8,9,19\n16,4,8\n32,4,8\n' >"$table"
run 0 "$table" && grep -q ': 95pct_latency against' "$out"
said $? "95pct is a percentile"
printf 'cache_MB,hit ratio (%%)\n64,71\n128,80\n256,90\n512,96\n1024,99\n2048,99.2\n' >"$table"
run 0 "$table" && grep -q 'A hit ratio hides what misses cost' "$out"
said $? "what a hit ratio hides is said"
printf 'memory_GB tps\n10 100\n20 150\n30 180\n40 185\n50 186\n60 90\n' >"$table"
run 0 "$table" && grep -q 'At 60 GB and more tps is worse than with less memory (-52 % against 50 GB)' "$out" && grep -q 'Plateau edge between 20 GB and 30 GB' "$out"
said $? "a machine that swaps at the top does not hide the plateau below"
printf 'memory_GB,tps \302\233 31m\n8,10\n16,20\n32,20\n' >"$table"
run 0 "$table" --metric 2 && ! LC_ALL=C grep -q "$(printf '\302\233')" "$out" && grep -qF '\xc2\x9b' "$out"
said $? "control characters of a heading are shown, not obeyed"

printf 'memory_GB tps\n8 100\n16 150\n32 180\n' >"$table"
run 1 "$table" --error tps && grep -q "both the metric and its standard error" "$err" && run 1 "$table" --error 1 && grep -q "both the memory and" "$err" &&
  run 1 "$table" --memory 2 --metric tps && grep -q "both the memory and the metric" "$err"
said $? "a column is one thing: memory, metric or its error"
run 1 "$table" --unit ms && grep -q "'tps' is a throughput" "$err" && run 1 "$table" --memory-unit ms && grep -q "not the time unit 'ms'" "$err"
said $? "a throughput has no unit of time"

if [ -w /dev/full ]; then
  ramknee analyze "$curves/perc2026a_hdb_mysql848.tsv" >/dev/full 2>"$err"
  [ $? -eq 2 ] && grep -q 'standard output' "$err"
  said $? "a full disk on the standard output: status 2"
fi
plan "$tap_n"
