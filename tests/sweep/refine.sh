#!/bin/sh
# sweep --refine in a sandbox: steps added where the verdict's bracket is, filled on their way up, reported in the order of memory.
# Run by check-long: it takes about a minute.
# shellcheck source=lib.sh
. "$top_srcdir/tests/sweep/lib.sh"

prepare

# The database is 5 GB: 16 and 8 GB hold it, 3 GB does not.  Steps of less than 8 s are taken to have a noise of 3 %, so that a busy machine's
# scatter does not hide that; the smallest step must send its 1,000 requests all the same.
refine_begin() {
  run=$here/run
  ramknee sweep -S sandbox --users 8 --think 0 --steps 16G,8G,3G --settle-max 20s --warm 1s --warm-max 1s --measure 7s --burn-in 1s \
    --refine --budget 45s --no-pictures --run "$run" --yes >"$run.out" 2>"$run.err" </dev/null &
  sweep_pid=$!
  wait_until 3000 samples_of_the_added
}

samples_of_the_added() {
  ended "$sweep_pid" || [ "$(cat "$run"/steps/04-*.part/samples.tsv 2>/dev/null | wc -l)" -ge 4 ]
}

# With what is left of the budget.
refine_resume() {
  ramknee sweep --resume "$run" --no-pictures --yes >"$run.out" 2>>"$run.err" </dev/null
}

dry_run() {
  ramknee sweep -S sandbox --steps 16G,8G,3G --refine --budget 90s --precision 3% --dry-run </dev/null >"$here/dry" 2>&1
  grep -q "refine .*90 s" "$here/dry" && grep -q "until p95 is known to 3 %" "$here/dry" && grep -q "by a factor of 1.15" "$here/dry" && return 0
  show "$here/dry"
  return 1
}

added() {
  sed -n 's/.*"mib": *\([0-9]*\).*/\1/p' "$here/run/refine.json"
}

# Each was said with its reason, and is between 3 and 16 GB.
an_added_step() {
  [ -n "$(added)" ] || { show "$run.err"; return 1; }
  for mib in $(added); do
    grep -q "is between [0-9]* GB and [0-9]* GB: a step at $((mib / 1024)) GB" "$run.err" && ls -d "$run"/steps/*-$((mib / 1024))G >/dev/null || return 1
  done
}

# On the way up the cache is filled; on the way down it is not.
filled() {
  grep -q ": $(($(added | head -1) / 1024)) GB: filling the cache" "$run.err" &&
    ! grep -q ": [38] GB: filling the cache" "$run.err"
}

order() {
  got=$(awk -F'\t' '$2 == "step" { split($1, a, "-"); sub("G", "", a[2]); print a[2] }' "$run/steps.tsv")
  [ "$got" = "$(echo "$got" | sort -rn)" ] && [ "$(echo "$got" | wc -l)" -ge 4 ]
}

last_is_first() {
  ls "$run/steps" | tail -1 | grep -q -- '-16G$'
}

# Where the client was the bottleneck at one step alone, that step is not judged, and it ends there.
reason() {
  grep -Eq '"state": "(done|budget|stuck)"' "$run/refine.json" && grep -Eq "narrow enough|within the budget|could not be judged" "$run.err" &&
    tr -s '\n ' ' ' <"$run.out" | grep -Eq "Refined after the other steps: (a step|steps) at .* added; .*(narrow enough|within the budget of 45 s|could not be judged)\."
}

ok "--dry-run tells the budget and the precision" dry_run
ok "a step is added" refine_begin
kill -TERM "$sweep_pid"
ok "the sweep is interrupted in it: status 2" status_is 2 sweep_end
ok "it can be gone on with, and ends with status 0" status_is 0 refine_resume
ok "time that was used before counts" grep -Eq "the budget of 45 s goes, of which [0-9.]+ m?s are used already" "$run.err"
ok "the confirmation names the whole range again" test "$(grep -c "goes from 16 GB to 3 GB" "$run.err")" -eq 2
ok "a step was added inside the bracket, and it was said why" an_added_step
ok "its cache was filled on the way up" filled
ok "the tables have it in the order of memory" order
ok "the first step again comes last" last_is_first
ok "run folder and report say why no more steps were added" reason
ok "the setting is back" setting_is "$before"
done_testing
