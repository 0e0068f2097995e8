#!/bin/sh
# One point at the memory as it is, and a working day: nothing is changed on the server.
# shellcheck source=lib.sh
. "$top_srcdir/tests/sweep/lib.sh"
prepare
set_max 16384
before=$(setting)

demand="--users 8 --think 0 --warm 1s --warm-max 1s --burn-in 0 --no-pictures"

# measure_now NAME OPTION...: its status
measure_now() {
  run=$here/$1
  shift
  # shellcheck disable=SC2086
  ramknee measure -S sandbox $demand --run "$run" "$@" >"$run.out" 2>"$run.err" </dev/null
}

# A day of some seconds; $day_pid.
day_begin() {
  run=$here/$1
  shift
  ramknee measure -S sandbox --no-load --run "$run" "$@" >"$run.out" 2>"$run.err" </dev/null &
  day_pid=$!
  sweep_pid=$day_pid # not to outlive the test
}

day_end() {
  wait "$day_pid"
  day_status=$?
  # shellcheck disable=SC2034  # for sweep_cleanup
  sweep_pid=
  return $day_status
}

has() {
  tr -s '\n ' ' ' <"$1" | grep -qF -- "$2" && return 0
  show "$1"
  return 1
}

samples() { # samples RUN N: so many are written
  [ "$(cat "$here/$1"/steps/01-*/samples.tsv 2>/dev/null | wc -l)" -gt "$2" ]
}

field() { # field FILE NAME ROW
  awk -F '\t' -v name="$2" -v row="$3" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i } NR == row + 1 { print $c }' "$1"
}

refused() {
  ramknee sweep -S sandbox --steps 16G,8G --yes --run "$here/none" >"$here/none.out" 2>"$here/none.err" </dev/null
  [ $? -eq 1 ] && has "$here/none.err" "ramknee measure"
}

ok "a point is measured" status_is 0 measure_now point --measure 5s
ok "it stands for the setting" test -d "$here/point/steps/01-16G"
ok "the setting is as it was" setting_is "$before"
ok "there is no journal" no_journal
ok "the run says where the memory comes from, and that nothing was set" \
  grep -q '"from": "max server memory"' "$here/point/run.json" && grep -q '"put_back": null' "$here/point/end.json"
ok "the table has the point, with its latency" awk '$1 == "16" && $2 == "GB" && $6 > 0 { found = 1 } END { exit !found }' "$here/point.out"

# A day: until a signal, with a gap where the server was gone.
day_begin day --for 90s --memory 12G
ok "a working day is sampled without a load" wait_until 300 samples day 3
port=$(sandbox_port_of default)
sandbox_stop default
sandbox_start default --port "$port" || exit 1
gone=$(cat "$here"/day/steps/01-*/samples.tsv* 2>/dev/null | wc -l)
ok "samples come again after the server was gone" wait_until 400 samples day $((gone + 3))
kill "$day_pid" # a shell starts what is in the background with SIGINT ignored
ok "a signal ends it with status 0" day_end
ok "it was reported" test -s "$here/day/report.html"
if command -v gnuplot >/dev/null; then
  ok "its picture is drawn" test -s "$here/day/plots/day.png"
else
  skip "its picture is drawn" "no gnuplot"
fi
ok "--memory says another memory than the server: both are named" has "$here/day.err" "--memory says 12 GB, but the server tells 16 GB (max server memory)"
ok "and both are in the run" has "$here/day/run.json" '"mib": 12288, "from": "--memory", "told_mib": 16384, "told_from": "max server memory"'
ok "the restart is told" has "$here/day.out" "the server was restarted 1 time"
ok "reads, batches and the cache are there" test -n "$(field "$here/day/hours.tsv" read_mb_s 1)" -a -n "$(field "$here/day/hours.tsv" batches_s 1)" -a -n "$(field "$here/day/hours.tsv" cache_gb 1)"
ok "no latency is claimed" has "$here/day.out" "What each transaction took is not known"
sandbox_stop default

# A managed service: no setting to step (points.sh has its point).
sandbox_start default --persona azure || exit 1
ok "a sweep of Azure SQL Database is refused, with a word about measure" refused
done_testing
