#!/bin/sh
# ramknee report RUN RUN...: points of several runs in one curve, on run folders with known curves.
set -u
# shellcheck source=lib.sh
. "${top_srcdir:?run by make check}/tests/report/lib.sh"

join() { # join TO ARGUMENT...: into TO.out and TO.err
  to=$1
  shift
  ramknee report "$@" --to "$to" --no-pictures > "$to.out" 2> "$to.err"
}
# a run of the points of knee that match: part NAME PATTERN...
part() {
  name=$1
  shift
  cp -r knee "$name"
  for step in "$name"/steps/*; do
    keep=0
    for size; do case $step in *-"$size") keep=1 ;; esac; done
    [ $keep -eq 1 ] || rm -r "$step"
  done
}
# edit NAME PATTERN TO: in run.json
edit() {
  sed "s/$2/$3/" "$1/run.json" > "$1/new" && ! cmp -s "$1/new" "$1/run.json" && mv "$1/new" "$1/run.json"
}

echo 1..30
"$make_run" knee knee || exit 99
ramknee report knee --no-pictures > knee.out
part large 128G 96G 64G
part small 32G
part tiny 16G 8G
rm small/end.json # killed after its point was whole

join all large small tiny
ok $? "points of three runs are joined with status 0"
ls all/steps > steps
printf '01-128G\n02-96G\n03-64G\n04-32G\n05-16G\n06-8G\n' | cmp -s - steps
ok $? "largest memory first, burn-in and drift step left behind"
has all.out "Plateau edge between 32 GB and 64 GB" && has all.out "nee between 16 GB and 32 GB"
ok $? "the curve has the edge and the knee of the sweep that it was cut from"
# The same records give the same figures (intervals lean on all steps of a run: not compared).
figures() { # figures RUN: memory, tx/s, p95, read MB/s of each step
  awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
    $c["row"] == "step" { print $c["memory_gb"], $c["tx_s"], $c["p95_ms"], $c["read_mb_s"], $c["hit_percent"] }' "$1/steps.tsv"
}
figures knee > a
figures all > b
[ "$(wc -l < a)" -eq 6 ] && cmp -s a b
ok $? "and the very same figures at each step"
has all.out "3 runs joined, started 2026" && grep -q "<h1>Joined measurements of" all/report.html && has all.out "32 GB of small" && has all.out "16 GB, 8 GB of tiny"
ok $? "the sources are named"
ramknee report all --no-pictures > again.out 2> again.err && has again.out "Plateau edge between 32 GB and 64 GB"
ok $? "what was joined is a run folder like any other"
awk -F '\t' 'NR > 1 { if ($1 + 0 < last) bad = 1; last = $1 } END { exit bad }' all/samples.tsv
ok $? "its seconds are in order"
[ "$(awk -F '\t' 'NR > 1 && $2 == "" && $5 == ""' all/samples.tsv | wc -l)" -eq 5 ]
ok $? "a line without values parts each point from the next"
grep -q "title_text = 'The joined points" all/plots/timeline.gp && grep -q "between the points" all/plots/timeline.gp
ok $? "and the timeline says that they are joined"
! grep -q '"put_back": false' all/end.json && ! has all.out "ramknee restore" > /dev/null
ok $? "it speaks of no setting to be put back"

has all.out "Drift within each run" && has all.out "large " && has all.out "small has no such step"
ok $? "the drift of each run that knows its own is said"
join nodrift small tiny && has nodrift.out "Drift is not known: none of the joined runs"
ok $? "and that none knows it"
"$make_run" drift moving && join moved knee moving
has moved.out "Doubtful, for moving drifts" && has moved.out "warning: moving drifts" && has moved.out "knee -1.6 %" &&
  has moved.out "The data files had one size in all runs"
ok $? "a run that drifts makes the curve doubtful, and is named"
"$make_run" grown grown && join growth knee grown --force
has growth.out "200 GB in knee; 200 GB to 226 GB (+13 %) in grown" && has growth.out "warning: the data files were 13 % larger" &&
  has growth.out "warning: grown was joined by force"
ok $? "each run has its own size of the data"
cp -r large ended && for step in ended/steps/*-64G; do
  sed 's/"notes": \[\]/"notes": [{"code": "stop-above", "text": "p99 was 9 ms, above the limit of 8 ms (--stop-above)"}]/' "$step/step.json" > new &&
    mv new "$step/step.json"
done
join stopped ended tiny
has stopped.out "The descent of ended ended at 64 GB, as asked: its p99 was 9 ms" && ! has stopped.out "The descent ended" > /dev/null
ok $? "a descent that ended is said of its own run"
cp -r small small2 && join same small small2 && ! grep -q "from 32 GB to 32 GB" same.out
ok $? "points of one memory make no rise of it"

join two all tiny && [ "$(find two/steps -name '*-8G' | wc -l)" -eq 2 ]
ok $? "a joined run can be joined again; two points of one memory stay two rows"

cp -r tiny users && edit users '"users": 64' '"users": 32'
join refused knee large ./knee/
[ $? -eq 1 ] && has refused.err "same run" && ! [ -e refused ]
ok $? "a run given twice: refused"
cp -r large hurt && for step in hurt/steps/*; do : >"$step/latency.tsv"; break; done
join limping knee hurt
[ $? -eq 2 ] && has limping.out "is left out" && has limping.out "latency.tsv is damaged: it is empty"
ok $? "a damaged step: left out, said, status 2"
join refused large users
[ $? -eq 1 ] && has refused.err "users 64 against 32" && has refused.err "--force" && ! [ -e refused ]
ok $? "another demand: refused, and what differs is named"
join forced large users --force && has forced.out "joined by force" && has forced.out "users 64 against 32" &&
  has forced.out "Demand mean think time 150 ms, varying numbers of users"
ok $? "--force joins them, and the report names the difference"
cp -r tiny think && edit think '"think_s": 0.15[0]*' '"think_s": 0.16'
join refused large think
[ $? -eq 1 ] && has refused.err "think time (s) 0.15 against 0.16"
ok $? "another think time: refused"
cp -r tiny dense && edit dense '"density": [0-9.]*' '"density": 0.9'
join refused large dense
[ $? -eq 1 ] && has refused.err "density of the load"
ok $? "another density of the load: refused"
cp -r tiny mixed && edit mixed '"mix": "orders"' '"mix": "dvdstore"'
join refused large mixed --force
[ $? -eq 1 ] && has refused.err "mix 'orders' against 'dvdstore'" && ! has refused.err "--force" > /dev/null
ok $? "another mix: refused even with --force"
"$make_run" real real && join refused large real --force
[ $? -eq 1 ] && has refused.err "the kind of server"
ok $? "the sandbox with a server: refused even with --force"
cp -r tiny other
for f in other/steps/*/step.json; do sed 's/1234567890abcdef/1234567890abcdee/' "$f" > new && mv new "$f"; done
join refused large other
[ $? -eq 1 ] && has refused.err "the requests sent at"
ok $? "other requests than those of the first run: refused"
cp -r tiny nowhere && rm -r nowhere/steps/*
join refused large nowhere
[ $? -eq 1 ] && has refused.err "nowhere holds no point"
ok $? "a run without a whole point: refused"
join refused large absent-run
[ $? -eq 1 ] && has refused.err "absent-run"
ok $? "a run that is not there: refused"
join all large small
[ $? -eq 1 ] && has all.err "not empty"
ok $? "a folder that is there already: refused"
ramknee report knee --to x > out 2> err
[ $? -eq 1 ] && grep -q -- "--to belongs to joining" err && ! [ -e x ]
ok $? "--to without a second run: refused"
