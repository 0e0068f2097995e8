#!/bin/sh
# Every odd server that cannot be stepped, or does not tell everything, gives a point with `measure`: what is absent is said, never zero.
# shellcheck source=lib.sh
. "$top_srcdir/tests/sweep/lib.sh"
prepare

demand="--users 8 --think 0 --warm 1s --warm-max 1s --measure 10s --burn-in 0 --no-pictures"

has() {
  tr -s '\n ' ' ' <"$1" | grep -qF -- "$2" && return 0
  show "$1"
  return 1
}

point() {
  run=$here/$1
  shift
  # shellcheck disable=SC2086
  ramknee measure -S sandbox $demand --run "$run" "$@" >"$run.out" 2>"$run.err" </dev/null
}

day() {
  run=$here/$1-day
  ramknee measure -S sandbox --no-load --for 3s --no-pictures --run "$run" >"$run.out" 2>"$run.err" </dev/null
}

field() { # field FILE NAME
  awk -F '\t' -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i } NR == 2 { print $c }' "$1"
}
known() { [ -n "$(field "$1" "$2")" ] || { echo "# $2 is missing"; return 1; }; }
absent() { [ -z "$(field "$1" "$2")" ] || { echo "# $2 is $(field "$1" "$2")"; return 1; }; }

sweep_points_here() {
  ramknee sweep -S sandbox --steps 16G,8G --yes --run "$here/none" >"$here/none.out" 2>"$here/none.err" </dev/null
  [ $? -eq 1 ] && ! [ -e "$here/none" ] && has "$here/none.err" "ramknee measure"
}

joined() {
  ramknee report "$here/at16" "$here/at8" --to "$here/joined" --no-pictures >"$here/joined.out" 2>"$here/joined.err" &&
    [ -d "$here/joined/steps/01-16G" ] && [ -d "$here/joined/steps/02-8G" ] && has "$here/joined.out" "16 GB of $here/at16"
}

# point's demand, by the run that it is like
like() {
  run=$here/$1
  ramknee measure -S sandbox --like "$here/$2" --warm 1s --warm-max 1s --measure 10s --burn-in 0 --no-pictures --run "$run" >"$run.out" 2>"$run.err" </dev/null
}

set_max 16384
ok "a point at 16 GB" status_is 0 point at16
set_max 8192
ok "one at 8 GB with the demand of the first" status_is 0 like at8 at16
ok "the two are one curve" joined
set_max 2147483647

with() {
  sandbox_stop default
  sandbox_start default --persona "$1" || { echo "Bail out! no sandbox $1"; exit 1; }
}

for persona in named-instance no-counters null-names no-permission no-view azure managed-instance express standard-2012; do
  with $persona
  steps=$here/$persona/steps.tsv
  ok "$persona gives a point" status_is 0 point $persona
  ok "$persona: with throughput and latency" known "$steps" p95_ms && known "$steps" tx_s
  case $persona in
  no-counters | null-names)
    ok "$persona: what only counters tell is absent" absent "$steps" hit_percent && absent "$steps" page_life_s
    ok "$persona: and said" has "$here/$persona.out" "no performance counters, or gives them no names"
    ok "$persona: reads are there all the same" known "$steps" read_mb_s
    ;;
  no-view)
    ok "$persona: what needs VIEW SERVER STATE is absent" absent "$steps" hit_percent && absent "$steps" read_mb_s && absent "$steps" server_cpu_percent
    ok "$persona: and said, with the right that is missing" has "$here/$persona.out" "VIEW SERVER STATE"
    ok "$persona: a memory that nobody tells is not a number" test -d "$here/$persona/steps/01-unknown"
    ok "$persona: --memory says it" status_is 0 point no-view-said --memory 12G
    ok "$persona: and the point stands there" test -d "$here/no-view-said/steps/01-12G"
    ;;
  *) ok "$persona: with reads and hit ratio" known "$steps" read_mb_s && known "$steps" hit_percent ;;
  esac
  case $persona in
  azure | managed-instance | no-permission | no-view) ok "$persona: a sweep is refused, with a word about measure" sweep_points_here ;;
  esac
  case $persona in
  no-view)
    ok "$persona: a day of nothing is refused" status_is 1 day $persona
    ok "$persona: with the right that is missing" has "$here/$persona-day.err" "VIEW SERVER STATE"
    ;;
  *) ok "$persona: a day can be sampled" status_is 0 day $persona ;;
  esac
done
grep -l '"put_back": false' "$here"/*/end.json
ok "nothing was set anywhere" test -z "$(cat "$here"/*/end.json | grep '"put_back": [tf]')"
done_testing
