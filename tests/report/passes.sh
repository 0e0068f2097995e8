#!/bin/sh
# shellcheck disable=SC1010  # done is a column
# ramknee report where steps were measured several times: sweep --passes, and joined runs of the same memory.
set -u
# shellcheck source=lib.sh
. "${top_srcdir:?run by make check}/tests/report/lib.sh"

# figure FILE ROW GB COLUMN [K]: the K-th row of that kind and memory.
figure() {
  awk -F '\t' -v row="$2" -v gb="$3" -v name="$4" -v want="${5:-1}" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["row"] == row && $at["memory_gb"] == gb && ++k == want { print $at[name] }' "$1"
}
count() { awk -F '\t' -v row="$2" '$2 == row' "$1" | wc -l; }

echo 1..25

for kind in passes busypass apart alike knee halfway; do
  "$make_run" $kind $kind || exit 99
  ramknee report $kind --no-pictures > $kind.out 2> $kind.err
  status=$?
  [ $status -eq 0 ] || [ $kind,$status = halfway,2 ] || { cat $kind.err; exit 99; }
done

# ---- one row a memory ----
[ "$(count passes/steps.tsv step)" -eq 6 ] && [ "$(count passes/steps.tsv visit)" -eq 18 ] && [ "$(count passes/steps.tsv again)" -eq 1 ]
ok $? "three passes of six steps: six rows, and each of the 18 visits by itself"
[ "$(grep -c '^ *16 GB  ' passes.out)" -eq 1 ]
ok $? "the table has each memory once"
done1=$(figure passes/steps.tsv step 16 done)
[ "$done1" -eq $(($(figure passes/steps.tsv visit 16 done 1) + $(figure passes/steps.tsv visit 16 done 2) + $(figure passes/steps.tsv visit 16 done 3))) ]
ok $? "its transactions are those of all visits"
awk -v all="$(figure passes/steps.tsv step 16 p95_ms)" -v a="$(figure passes/steps.tsv visit 16 p95_ms 1)" -v b="$(figure passes/steps.tsv visit 16 p95_ms 2)" \
  -v c="$(figure passes/steps.tsv visit 16 p95_ms 3)" 'BEGIN { mean = (a + b + c) / 3; exit !(b > 1.4 * a && c < 0.8 * a && all > mean && all < b) }'
ok $? "its p95 is that of all transactions together, not the mean of three"
awk -v all="$(figure passes/steps.tsv step 16 tx_s)" -v a="$(figure passes/steps.tsv visit 16 tx_s 1)" -v b="$(figure passes/steps.tsv visit 16 tx_s 2)" \
  -v c="$(figure passes/steps.tsv visit 16 tx_s 3)" 'BEGIN { d = all - (a + b + c) / 3; exit !(d < 0.01 && d > -0.01) }'
ok $? "its throughput is that of all seconds"
awk -v all="$(figure passes/steps.tsv step 8 reads_per_tx)" 'BEGIN { exit !(all > 20.5 && all < 21.5) }'
ok $? "its reads a transaction are those of all visits"
tail -n +4 passes/hdr/*16G-response.hgrm | grep -q '[0-9]' && [ "$(find passes/hdr -name '*16G-response.hgrm' | wc -l)" -eq 1 ] &&
  grep -q "Total count *= *$done1" passes/hdr/*16G-response.hgrm
ok $? "the histogram that is exported holds all visits"

# ---- what the visits say ----
for gb in 128 16 8; do
  for k in 1 2 3; do
    awk -v v="$(figure passes/steps.tsv visit $gb p95_ms $k)" -v lo="$(figure passes/steps.tsv step $gb p95_ms_lo)" -v hi="$(figure passes/steps.tsv step $gb p95_ms_hi)" \
      -v k=$k 'BEGIN { if (lo == "" || hi == "") exit 1; if (k == 1) exit !(lo < v && v < hi) }' || echo "$gb $k"
  done
done > outside
[ ! -s outside ]
ok $? "the interval of a step holds the pass of middling speed"
awk -v lo="$(figure passes/steps.tsv step 8 p95_ms_lo)" -v hi="$(figure passes/steps.tsv step 8 p95_ms_hi)" 'BEGIN { exit !(hi / lo > 2) }'
ok $? "where passes differ twofold the interval is wide"
awk -v lo="$(figure alike/steps.tsv step 8 p95_ms_lo)" -v hi="$(figure alike/steps.tsv step 8 p95_ms_hi)" 'BEGIN { exit !(hi / lo < 1.2) }'
ok $? "where they are alike it is narrow"
has passes.out "differs" && has passes.out "times as much as the seconds within them tell; all intervals here are wider for it"
ok $? "the summary says how much more visits differ than their seconds"
has alike.out "p95 of visits to the same memory differs" || has alike.out "no more than the seconds within them tell"
ok $? "and says it where they do not"
has passes.out "p95 of each visit in ms: 128 GB "
ok $? "the p95 of each visit is told"
has apart.out "GB the pooled p95 is about that of the worst visit" && ! has passes.out "worst visit"
ok $? "where one visit makes the pooled p95 that is said"
has passes.out "Plateau edge between 32 GB and 64 GB"
ok $? "the edge is still found"
has knee.out "Each step was measured once" && ! has passes.out "Each step was measured once"
ok $? "a sweep of one pass is told what its intervals cannot know"
tr -d ' \n' < passes/verdict.json | grep -q '"visits":\[{"step":"02-128G","p95_ms":{"value":' && tr -d ' \n' < passes/verdict.json | grep -q '"visits_spread_p95":[1-9]'
ok $? "verdict.json has the visits and their spread"

grep -q 'points linestyle 9 title "each visit"' passes/plots/latency.gp && grep -q "each visit" passes/plots/headline.gp && ! grep -q "each visit" knee/plots/latency.gp
ok $? "visits are points of their own in the pictures of latency"

# ---- a busy client in one of them ----
has busypass.out "1 visit is left out, for the client was busy in it" && [ "$(figure busypass/steps.tsv step 16 client_bound)" -eq 0 ]
ok $? "a visit with a busy client is left out where others had an idle one"
[ "$(figure busypass/steps.tsv step 16 done)" -eq $(($(figure busypass/steps.tsv visit 16 done 1) + $(figure busypass/steps.tsv visit 16 done 3))) ]
ok $? "and none of its transactions counts"

# ---- incomplete ----
has halfway.out "results are incomplete; missing: 8 GB (1 of 2 times), the first step again"
ok $? "a visit that is missing is told"
[ "$(figure halfway/steps.tsv step 8 done)" = "$(figure alike/steps.tsv visit 8 done 1)" ] && [ "$(count halfway/steps.tsv broken)" -eq 1 ]
ok $? "what was broken off is no visit"
has alike.out "32 GB, visit 2: another program was at work" && has alike.out "32 GB, visit 2"
ok $? "a note names its visit"

# ---- the same memory in joined runs ----
ramknee report knee alike --force --no-pictures --to both > both.out 2> both.err
[ $? -eq 0 ] && [ "$(count both/steps.tsv step)" -eq 6 ] && [ "$(count both/steps.tsv visit)" -eq 18 ]
ok $? "joined runs pool what they measured at the same memory"
[ "$(figure both/steps.tsv step 32 done)" -eq $(($(figure knee/steps.tsv step 32 done) + $(figure alike/steps.tsv step 32 done))) ]
ok $? "with all transactions of both"
