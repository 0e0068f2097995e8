#!/bin/sh
# ramknee report on run folders with known curves.
set -u
# shellcheck source=lib.sh
. "${top_srcdir:?run by make check}/tests/report/lib.sh"

skip() {
  n=$((n + 1))
  echo "ok $n - $1 # SKIP $2"
}
column() { # column FILE NAME ROW: the field of that column in line ROW (1: the first below the header)
  awk -F '\t' -v name="$2" -v row="$3" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i } NR == row + 1 { print $c }' "$1"
}
near() { # near A B: within one part in a thousand
  awk -v a="$1" -v b="$2" 'BEGIN { d = a - b; if (d < 0) d = -d; exit !(a != "" && b != "" && d <= 0.001 * b) }'
}
report() { # report RUN [OPTION...]: into RUN.out and RUN.err
  run=$1
  shift
  ramknee report "$run" "$@" > "$run.out" 2> "$run.err"
}
have_gnuplot=0
command -v gnuplot > /dev/null && have_gnuplot=1

echo 1..74

# ---- a whole run ----
"$make_run" knee knee || exit 99
report knee
ok $? "a whole run is reported with status 0"
missing=0
for f in steps.tsv samples.tsv latency.tsv verdict.json summary.txt report.html \
  plots/headline.gp plots/latency.gp plots/reads.gp plots/throughput.gp plots/timeline.gp \
  hdr/04-64G-response.hgrm hdr/04-64G-service.hgrm hdr/08-128G-response.hgrm; do
  [ -s "knee/$f" ] || { missing=1; echo "# no $f"; }
done
ok $missing "all derived files are there"
[ ! -s knee.err ]
ok $? "nothing is said on stderr"
awk 'length > 100 { bad = 1 } END { exit bad }' knee.out
ok $? "no line is wider than 100 columns"
for name in p50 p95 p99 tx/s MB/s change hit cache; do grep -q -- "$name" knee.out || echo "# no $name"; done > missing
[ ! -s missing ]
ok $? "the table has its columns"
head -c "$(wc -c < knee/summary.txt)" knee.out | cmp -s - knee/summary.txt
ok $? "summary.txt says what the terminal says"

has knee.out "Plateau edge between 32 GB and 64 GB" && has knee.out "Knee between 16 GB and 32 GB"
ok $? "edge and knee are where the curve has them"
tr -d ' \n' < knee/verdict.json | grep -q '"p95_ms":{"plateau":"edge","edge":{"a_mib":32768.0,"b_mib":65536.0,"confidence":'
ok $? "... in verdict.json, too"
grep -q '^knee_a = 16; knee_b = 32$' knee/plots/headline.gp && grep -q '^edge_a = 32; edge_b = 64$' knee/plots/headline.gp
ok $? "... and in the scripts"

# ---- golden figures, computed here from the raw files ----
step=knee/steps/04-64G
begin=$(awk '/"measure"/ { m = 1 } m && /begin_ns/ { gsub(/[^0-9]/, ""); print; exit }' $step/step.json)
end=$(awk '/"measure"/ { m = 1 } m && /end_ns/ { gsub(/[^0-9]/, ""); print; exit }' $step/step.json)
seconds=$(awk -v b="$begin" -v e="$end" 'BEGIN { print (e - b) / 1e9 }')
tx=$(awk -F '\t' -v s="$seconds" 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } $c["phase"] == "measure" || $c["phase"] == 2 { n += $c["done"] }
  END { print n / s }' $step/load.tsv)
row=$(awk -F '\t' '$1 == "04-64G" { print NR - 1 }' knee/steps.tsv)
near "$(column knee/steps.tsv tx_s "$row")" "$tx"
ok $? "tx_s of 64 GB is that of the raw seconds ($tx)"
# the middle of the bucket that holds the 95th of 100 samples, by the layout of analysis/hist.h
p95=$(awk -F '\t' 'FNR == 1 { for (i = 1; i <= NF; i++) c[$i] = i }
  FNR > 1 && FILENAME ~ /load/ && ($c["phase"] == "measure" || $c["phase"] == 2) { measured[$c["second"]] = 1 }
  FNR > 1 && FILENAME ~ /latency/ && $3 == "r" && ($1 in measured) { n[$4] += $5; total += $5 }
  END {
    want = int(0.95 * total); if (want < 0.95 * total) want++
    for (b = 1; b < 23552; b++) { seen += n[b]; if (seen >= want) break }
    shift = b < 2048 ? 0 : int(b / 1024) - 1
    print (b - shift * 1024 + 0.5) * 2 ^ shift / 1000
  }' $step/load.tsv $step/latency.tsv)
near "$(column knee/steps.tsv p95_ms "$row")" "$p95"
ok $? "p95_ms of 64 GB is that of the raw buckets ($p95)"
# shellcheck disable=SC2016 # awk's own variables
raw='NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
  $c["at_ns"] >= b - 5e8 && $c["at_ns"] <= e + 5e8 { for (i in c) { v = $c[i]; if (!(i in first)) first[i] = v; d[i] = v - first[i] } }'
bytes=$(awk -F '\t' -v b="$begin" -v e="$end" "$raw END { print d[\"data_read_bytes\"] / (d[\"at_ns\"] / 1e9) / 1e6 }" $step/samples.tsv)
near "$(column knee/steps.tsv read_mb_s "$row")" "$bytes"
ok $? "read_mb_s of 64 GB is that of the raw samples ($bytes)"
reads=$(awk -F '\t' -v b="$begin" -v e="$end" -v tx="$tx" "$raw END { print d[\"data_reads\"] / (d[\"at_ns\"] / 1e9) / tx }" $step/samples.tsv)
near "$(column knee/steps.tsv reads_per_tx "$row")" "$reads"
ok $? "reads_per_tx of 64 GB is that of the raw samples ($reads)"
hit=$(awk -F '\t' -v b="$begin" -v e="$end" "$raw END { print 100 * (1 - d[\"page_reads\"] / d[\"page_lookups\"]) }" $step/samples.tsv)
near "$(column knee/steps.tsv hit_percent "$row")" "$hit"
ok $? "hit_percent of 64 GB is 1 - reads / lookups ($hit)"
p95_above=$(column knee/steps.tsv p95_ms $((row - 1)))
p95_here=$(column knee/steps.tsv p95_ms "$row")
change=$(awk -v a="$p95_above" -v b="$p95_here" 'BEGIN { printf "%.1f", 100 * (b / a - 1) }')
[ "$(column knee/steps.tsv p95_change_percent "$row" | awk '{ printf "%.1f", $1 }')" = "$change" ]
ok $? "the change is that of p95 against the row above ($change %)"
awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } !($c["p95_ms_lo"] <= $c["p95_ms"] && $c["p95_ms"] <= $c["p95_ms_hi"] && $c["p95_ms_lo"] < $c["p95_ms_hi"]) { bad = 1 }
  END { exit bad }' knee/steps.tsv
ok $? "each p95 lies within its interval"
[ "$(awk -F '\t' 'NR > 1 { print $2 }' knee/steps.tsv | tr '\n' ' ')" = "step step step step step step again " ]
ok $? "steps come largest first, the drift step last"
seconds_run=$(cat knee/steps/*/load.tsv | grep -cv '^second')
[ "$(tail -n +2 knee/samples.tsv | wc -l)" -ge "$seconds_run" ]
ok $? "samples.tsv has every second of the run"
awk -F '\t' 'NR > 1 { if ($1 + 0 < last) bad = 1; last = $1 } END { exit bad }' knee/samples.tsv
ok $? "samples.tsv is in order of time"

# ---- the same again ----
find knee -type f | LC_ALL=C sort | xargs sha256sum > first.sum
mv knee elsewhere && ln -s elsewhere knee
report knee
find knee/ -type f | sed 's:^knee//:knee/:' | LC_ALL=C sort | xargs sha256sum | sed 's:knee//:knee/:' > second.sum
cmp -s first.sum second.sum
ok $? "a second report gives the same bytes, wherever the folder is"
rm knee && mv elsewhere knee
cp -r knee other
report other --seed 2
grep -v '"seed"' other/verdict.json > a
grep -v '"seed"' knee/verdict.json > b
cmp -s other/steps.tsv knee/steps.tsv && ! cmp -s a b
ok $? "another seed changes confidence, not figures"

# ---- pictures ----
! grep -q "$work" knee/plots/*.gp && ! grep -q '<<' knee/plots/*.gp
ok $? "the scripts name no path of this machine and are filled"
if [ $have_gnuplot -eq 1 ]; then
  bad=0
  for f in headline latency reads throughput timeline; do
    [ "$(head -c 8 knee/plots/$f.png | od -An -tx1 | tr -d ' \n')" = 89504e470d0a1a0a ] || { bad=1; echo "# $f.png is no PNG"; }
    cp knee/plots/$f.png was.png
    rm knee/plots/$f.png
    (cd knee && gnuplot plots/$f.gp) > words 2>&1 || bad=1
    [ -s words ] && sed 's/^/# /' words && bad=1
    cmp -s was.png knee/plots/$f.png || { bad=1; echo "# $f.gp draws another picture"; }
  done
  ok $bad "each script draws the same picture again by plain gnuplot"
  sed -n 's/.*src="data:image\/png;base64,\([^"]*\)".*/\1/p' knee/report.html | head -n 1 | base64 -d > inside.png && cmp -s inside.png knee/plots/headline.png
  ok $? "report.html has the pictures inside"
else
  skip "each script draws the same picture again by plain gnuplot" "no gnuplot"
  skip "report.html has the pictures inside" "no gnuplot"
fi
! grep -Eq '(src|href)="[^d]|https?:|url\(|<script' knee/report.html
ok $? "report.html needs nothing from elsewhere"
mkdir tools
for tool in sleep sh; do ln -s "$(command -v $tool)" tools/$tool; done
ramknee=$(command -v ramknee)
rm knee/plots/*.png
PATH=$work/tools "$ramknee" report knee > knee.out 2> knee.err
status=$?
[ $status -eq 0 ] && [ "$(grep -c 'warning' knee.err)" -eq 1 ] && has knee.err "gnuplot-nox"
ok $? "without gnuplot: status 0 and one warning with the remedy"
[ -s knee/report.html ] && [ -s knee/plots/headline.gp ] && ! grep -q '<img' knee/report.html && ! [ -e knee/plots/headline.png ]
ok $? "... and everything else is made"
printf '#!/bin/sh\necho "\\"plots/x.gp\\" line 3: undefined variable: nonsense"\necho half > plots/headline.png\nexit 1\n' > tools/gnuplot
chmod +x tools/gnuplot
PATH=$work/tools "$ramknee" report knee > knee.out 2> knee.err
status=$?
[ $status -eq 0 ] && [ "$(grep -c 'warning' knee.err)" -eq 1 ] && has knee.err "undefined variable: nonsense" && ! [ -e knee/plots/headline.png ]
ok $? "gnuplot fails: status 0, one warning with its words, no half picture"
report knee --no-pictures
[ ! -s knee.err ] && ! [ -e knee/plots/headline.png ] && [ -s knee/report.html ]
ok $? "--no-pictures runs no gnuplot"

# The third range of the timeline is that of p95, the fourth that of reads.
awk -F '\t' 'NR == FNR && /^set yrange/ { split($0, part, /[:\]]/); top[++n] = part[2]; next }
  FNR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
  $c["p95_ms"] + 0 > top[3] || $c["read_mb_s"] + 0 > top[4] || $c["tx_s"] + 0 > top[2] { bad = 1 }
  END { exit bad || n != 4 }' knee/plots/timeline.gp knee/samples.tsv
ok $? "no second leaves the timeline"
report knee --slo p95=8ms --slo p99=8ms --no-pictures
[ "$(grep -c "limit 8 ms' at graph" knee/plots/latency.gp)" -eq 2 ] && [ "$(grep -o "limit 8 ms' at graph .*right" knee/plots/latency.gp | sort -u | wc -l)" -eq 2 ]
ok $? "two limits of one height have their names apart"

# ---- incomplete runs ----
"$make_run" incomplete incomplete
report incomplete --no-pictures
ok $(($? != 2)) "an incomplete run is reported with status 2"
has incomplete.out "missing: 8 GB, the first step again" && has incomplete.out "ramknee restore" && has incomplete.out "not judged:"
ok $? "... and says what is missing and what to do"
[ "$(awk -F '\t' '$2 == "broken"' incomplete/steps.tsv | wc -l)" -eq 1 ]
ok $? "... and keeps the broken step apart"
cp -r knee killed && rm -r killed/end.json killed/steps/0[4-9]*
report killed --no-pictures
[ $? -eq 2 ] && has killed.out "No verdict"
ok $? "two steps and no end: status 2, no verdict"

# ---- other shapes ----
for kind in flat drift saturated absent one many huge micro marked evil; do
  "$make_run" $kind $kind
  report $kind --no-pictures || echo "# $kind: status $?"
done
has flat.out "Flat: down to 8 GB" && ! grep -q 'Knee between' flat.out && grep -q '^knee_a = 0; knee_b = 0$' flat/plots/headline.gp
ok $? "a flat curve has no knee"
has drift.out "the sweep is drifting" && has drift.out "Doubtful, for the sweep drifts" && has drift.out "(+28 %" && ! has drift.out "Drift:" && has knee.out "Drift:" && ! has knee.out "the sweep is drifting"
ok $? "drift is seen where it is, not elsewhere"
has saturated.out "S: saturated" && has saturated.out "losses that are told of such steps" && ! has knee.out "rate was not held" && grep -Eq '>[0-9]' saturated.out && ! grep -q 'S: saturated' knee.out
ok $? "a saturated step is a lower bound, the legend only where it is used"
grep -Eq '^ 128 GB +- +400' absent.out && [ -z "$(column absent/steps.tsv read_mb_s 1)" ] && has absent.out "VIEW SERVER STATE"
ok $? "what could not be sampled is '-', an empty field and a warning, not 0"
has one.out "One point, at 128 GB: no verdict." && has one.out "Storage delivers" && ! has one.out "Throughput"
ok $? "one step gives no verdict, and says what it has"
[ "$(awk -F '\t' '$2 == "step"' many/steps.tsv | wc -l)" -eq 40 ]
ok $? "forty steps are reported"
bad=0
for f in summary.txt report.html plots/headline.gp plots/latency.gp plots/reads.gp plots/throughput.gp plots/timeline.gp verdict.json \
  steps.tsv samples.tsv latency.tsv; do
  grep -q 'not SQL Server' knee/$f || { bad=1; echo "# no label in $f"; }
  ! grep -q 'not SQL Server' absent/$f 2> /dev/null || { bad=1; echo "# a label in absent/$f"; }
done
ok $bad "the sandbox's label is on everything of its runs, and on no other"
! grep -qF '<script>' evil/report.html && grep -qF '&lt;script&gt;alert(1)' evil/report.html
ok $? "names from outside are text in the page"
bad=0
if [ $have_gnuplot -eq 1 ]; then
  for f in headline timeline; do (cd evil && gnuplot plots/$f.gp) > words 2>&1 || bad=1; done
  [ ! -s words ] || bad=1
fi
[ -z "$(find . -name pwned)" ] || bad=1
ok $bad "names from outside are text for gnuplot"
! LC_ALL=C grep -q "$(printf '\033')" evil/summary.txt evil.out evil/report.html evil/steps.tsv evil/plots/headline.gp
ok $? "control characters go nowhere"

grep -q 'alert(1)' evil/summary.txt && grep -qF '\x1b[31m' evil/summary.txt
ok $? "... but are shown"

# ---- limits ----
report knee --slo p95=10ms --slo p50=3ms --slo p99=1us --no-pictures
has knee.out "keeps the p95 latency at or below 10 ms is 32 GB, by its 95 % interval" && has knee.out "No measured memory, together with all larger ones, keeps the p99 latency at or below 0.001 ms"
ok $? "the smallest memory under a limit, by its interval, and the honest no"
grep -q "p95 limit 10 ms" knee/plots/latency.gp && grep -q "p95 limit 10 ms" knee/plots/headline.gp && grep -q '"metric": "p95"' knee/verdict.json
ok $? "... as a line in the pictures, and in verdict.json"

report saturated --slo p95=5s --no-pictures
has saturated.out "at or below 5000 ms is 32 GB" || has saturated.out "at or below 5000 ms is likely 32 GB"
ok $? "a step that did not hold its rate keeps no limit"
has saturated.out "from 16 GB to 8 GB the queue (the rate was not held)" && has saturated.out "halving it from there multiplies it by 14"
ok $? "its latency is the queue's, not that of nothing"

# ---- HdrHistogram's text ----
bad=0
for f in knee/hdr/*.hgrm; do
  awk 'NR == 1 { if ($1 != "Value" || $2 != "Percentile" || $3 != "TotalCount" || $4 != "1/(1-Percentile)") bad = 1; next }
    /^#\[Mean .*StdDeviation/ { mean++; next } /^#\[Max .*Total count/ { gsub(/[^0-9.=]/, ""); split($0, a, "="); total = a[3]; max++; next }
    /^#\[Buckets .*SubBuckets/ { buckets++; next } /^#/ || NF == 0 { next }
    { n++; if ($1 + 0 < value || $2 + 0 < share || (n > 1 && $2 + 0 <= share) || $3 + 0 < count) bad = 1
      if (NF == 4 && ($4 * (1 - $2) < 0.97 || $4 * (1 - $2) > 1.03) && $4 < 100) bad = 1
      value = $1 + 0; share = $2 + 0; count = $3 + 0; fields = NF }
    END { exit !(!bad && n > 10 && share == 1 && fields == 3 && count == total && mean == 1 && max == 1 && buckets == 1) }' "$f" || { bad=1; echo "# $f"; }
done
ok $bad "hdr/*.hgrm parse as percentile distributions: rising, complete, with their footer"
grep -q 'not SQL Server' knee/hdr/04-64G-response.hgrm && grep -q 'from p99.9' micro/hdr/*-response.hgrm knee/hdr/*-response.hgrm
ok $? "... and say what they are of, and from where on few samples stand behind them"

# ---- damage ----
cp -r knee hurt
sed -i '100s/.*/1\t2\tx\ty/' hurt/steps/04-64G/latency.tsv
report hurt --no-pictures
[ $? -eq 2 ] && has hurt.out "steps/04-64G/latency.tsv:100 is damaged" && has hurt.out "not judged:" && has hurt.out "Knee between 16 GB and 32 GB"
ok $? "a damaged file of one step: the others are reported, file and line named, status 2"

# ---- nothing to judge ----
cp -r knee nothing && rm -r nothing/steps/0[2-9]* && mkdir -p nothing/steps/02-128G.part
cp knee/steps/02-128G/load.tsv knee/steps/02-128G/samples.tsv nothing/steps/02-128G.part
report nothing
[ $? -eq 2 ] && has nothing.out "nothing to judge, and no picture against memory" && ! [ -e nothing/plots/headline.png ] && ! [ -e nothing/plots/headline.gp ]
ok $? "without a judged step there is no empty picture, and it is said"

# ---- honest answers ----
"$make_run" shoulders shoulders && report shoulders --no-pictures && has shoulders.out "A second shoulder between"
ok $? "two shoulders"
"$make_run" rising rising && report rising --no-pictures && has rising.out "Plateau not reached" && has rising.out "all of these steps lie below it" &&
  grep -q "p95: plateau not reached" rising/plots/throughput.gp
ok $? "plateau not reached, below the knee throughout; the picture of throughput says of what"
brackets() { grep -A40 '"p95_ms": {' $1/verdict.json | grep -E '"[ab]_mib"' | head -n 4; }
report knee --no-pictures
"$make_run" busy busy && report busy --no-pictures && has busy.out "Left out of this verdict: 64 GB" && [ "$(brackets knee)" != "" ] &&
  has busy.out "Plateau edge between 32 GB and 96 GB" && [ "$(brackets knee | tail -n 2)" = "$(brackets busy | tail -n 2)" ]
ok $? "a busy neighbour at one step makes it client-bound, not a knee"
"$make_run" knee lowest && sed -i 's/"client_bound": false/"client_bound": true/' lowest/steps/*-8G/step.json && report lowest --no-pictures
has lowest.out "Left out of this verdict: 8 GB" && has lowest.out "rise of the mean latency from 128 GB to 16 GB" && has lowest.out "Longest waits of the server at 16 GB"
ok $? "what is left out of the verdict is no end of the rise"
"$make_run" busier busier && report busier --no-pictures && has busier.out "Doubtful, for the client was the bottleneck at 64 GB, 32 GB, 16 GB, 8 GB"
ok $? "... at too many the verdict is called doubtful"
"$make_run" grown grown && report grown --no-pictures && has grown.out "The data files went from" && has grown.out "later steps had another database"
ok $? "growth of the data"
cp -r knee emptied && : >emptied/steps/04-64G/latency.tsv && report emptied --no-pictures
[ $? -eq 2 ] && has emptied.out "latency.tsv is damaged: it is empty" && has emptied.out "128 GB"
ok $? "a table that is empty costs its step, and is named"
cp -r knee piped && rm piped/end.json && mkfifo piped/end.json && timeout 20 ramknee report piped --no-pictures >piped.out 2>piped.err
[ $? -eq 1 ] && has piped.err "is a pipe or a device"
ok $? "a pipe in a run is refused, not waited for"
"$make_run" full full && report full --no-pictures && has full.out "From 96 GB on next to nothing is read from storage" && ! has full.out "more memory than 128 GB would help"
ok $? "steps that read nothing are the plateau, and more memory is not advised"
has knee.out "The data files kept their size" && has knee.out "operating system" && has knee.out "one of them changes, so may the knee"
ok $? "what the verdict is good for, and what memory comes on top"
has knee.out "Pressure, what transactions wait for" && has knee.out "reads from data files (" && has knee.out "nothing that stands out" &&
  grep -q '"reads"' knee/verdict.json && grep -q 'What transactions wait for' knee/report.html
ok $? "each step's kind of pressure"
has saturated.out "from 128 GB to"
ok $? "steps of the same pressure are told in one go"
report knee --no-pictures && has knee.out "if p95 may exceed its level at the top, 3.99 ms, by 10 % or 25 %: 64 GB; by 100 %: 32 GB."
ok $? "what a higher p95 would save is told, equal answers once"
"$make_run" short short && report short --no-pictures && has short.out "there are no intervals at 128 GB, 96 GB, 64 GB, 32 GB, 16 GB and 8 GB" && has short.out "measure for at least 10 s" &&
  has short.out "--measure 10s" && ! has knee.out "there are no intervals" > /dev/null
ok $? "where intervals are missing it says how long to measure for them"
"$make_run" noisy noisy && report noisy --no-pictures
has noisy.out "unknown: the seconds of these steps scatter too much" && ! grep -q '>+999' noisy.out
ok $? "an interval that says nothing is called unknown, with why"

# ---- bad input ----
one_sentence() { # one_sentence FILE TEXT: an error with that text and few lines
  grep -q 'error' "$1" && has "$1" "$2" && [ "$(wc -l < "$1")" -le 3 ]
}
ramknee report nowhere > out 2> err
[ $? -eq 1 ] && one_sentence err nowhere
ok $? "a folder that is not there: status 1, one sentence"
cp -r knee blocked && rm -r blocked/plots && touch blocked/plots
ramknee report blocked > out 2> err
[ $? -eq 1 ] && one_sentence err blocked/plots && grep -q '128 GB' out
ok $? "plots cannot be made: status 1, one sentence, the table all the same"
rm -r blocked/steps && ln -s /dev/null blocked/steps
ramknee report blocked > out 2> err
[ $? -eq 1 ] && grep -q error err
ok $? "steps that are no folder: status 1"
cp -r knee frozen && rm -rf frozen/plots && chmod -R a+rX,a-w frozen && chmod a+rx .
if [ "$(id -u)" -ne 0 ]; then
  ramknee report frozen > out 2> err
  status=$?
elif command -v setpriv > /dev/null && setpriv --reuid=65534 --regid=65534 --clear-groups test -x "$ramknee" -a -r frozen/run.json; then
  setpriv --reuid=65534 --regid=65534 --clear-groups "$ramknee" report frozen > out 2> err
  status=$?
else
  status=skip
fi
if [ $status = skip ]; then
  skip "a run folder that cannot be written" "no way to be another user than root"
else
  [ $status -eq 1 ] && one_sentence err "cannot write frozen/samples.tsv" && has err "copy the run folder" && grep -q '128 GB' out
  ok $? "a run folder that cannot be written: status 1, one sentence with the remedy, the table all the same"
fi
bad=0
for option in --tolerance=0 --tolerance=x --tolerance=60% --tolerance=0.05% --seed=-1 --seed=x --nonsense --slo=p95 --slo=p95=5 --slo=p97=5ms; do
  ramknee report knee $option > out 2> err
  if [ $? -ne 1 ] || [ -s out ]; then bad=1; echo "# $option is taken"; fi
done
ok $bad "bad options: status 1, nothing done"
