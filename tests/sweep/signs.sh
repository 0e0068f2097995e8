#!/bin/sh
# Signs that a step starves the server or somebody on it: the step is ended, the setting goes back, status 2.
# shellcheck source=lib.sh
. "$top_srcdir/tests/sweep/lib.sh"
loaded=

# with_persona NAME: the same data each time.
with_persona() {
  sandbox_start default --persona "$1" || { echo "Bail out! no sandbox $1"; exit 1; }
  if [ -z "$loaded" ]; then
    ramknee load -S sandbox --size 5G --streams 2 --yes >"$here/load.out" 2>&1 || { echo "Bail out! the load failed"; exit 1; }
    set_max 200000
    before=$(setting)
    loaded=1
  fi
}

starved() {
  run=$here/$1
  ramknee sweep -S sandbox --users 8 --think 0 --steps 40G,16G,8G --settle-max 60s --warm 1s --warm-max 1s --measure 5s --burn-in 0 --no-drift \
    --no-pictures --run "$run" --yes ${2:+--steps $2 --measure 30s} >"$run.out" 2>"$run.err" </dev/null
}

# ended PERSONA SENTENCE [STEPS]
ended_by() {
  with_persona "$1"
  ok "$1: status 2" status_is 2 starved "$1" "${3-}"
  ok "$1: the sentence says why" grep -q -- "$2" "$here/$1.err"
  ok "$1: and what to do" grep -Eq -- "--floor|what else takes the memory" "$here/$1.err"
  ok "$1: the end is written down" grep -q '"put_back": true' "$here/$1/end.json"
  ok "$1: with its reason" grep -q -- "$2" "$here/$1/end.json"
  ok "$1: the setting is back" setting_is "$before"
  ok "$1: no journal is left" no_journal
  sandbox_stop default
}

ended_by memory-8645 "step at 16 GB was ended for want of memory.*8645"
ok "the step before it is whole" test -d "$here/memory-8645/steps/01-40G"
ok "the next one was not begun" test ! -e "$here/memory-8645/steps/03-8G.part"
ended_by memory-701 "ended for want of memory.*701" 16G,8G
ended_by memory-802 "ended for want of memory.*802" 16G,8G
ended_by others-wait "other people's requests wait for memory (2 of them.*the step at 16 GB was ended" 16G,8G
ended_by memory-low "short of physical memory for 10 s: the step at 16 GB was ended" 16G,8G
done_testing
