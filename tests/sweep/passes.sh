#!/bin/sh
# Several passes through the steps: their order, one that is broken off in the second and gone on with, and --stop-above.
# shellcheck source=lib.sh
. "$top_srcdir/tests/sweep/lib.sh"
prepare
two="--steps 16G,8G --warm 0 --warm-max 0 --measure 2s --burn-in 0"

# Until the second visit of the largest step is at work.
begin() {
  # shellcheck disable=SC2086
  ramknee sweep -S sandbox $small $two --passes 2 --run "$run" --yes >"$run.out" 2>"$run.err" </dev/null &
  sweep_pid=$!
  wait_until 1800 test -d "$run/steps/03-16G.part" || { show "$run.err"; return 1; }
  wait_until 200 grep -q "pass 2 of 2, 16 GB: filling the cache" "$run.err"
}

# Without -S and --passes: the server and the passes of the run.
resume() {
  ramknee sweep --resume "$run" --yes --no-pictures >"$run.out" 2>"$run.err" </dev/null
}

# steps_are NAME...: the steps' folders, but the burn-ins.
steps_are() {
  now=$(cd "$run/steps" && echo 0[1-9]*)
  [ "$now" = "$*" ] && return 0
  echo "# the steps are $now"
  return 1
}

same_digests() {
  [ "$(sed -n 's/.*"digest": *"\([0-9a-f]*\)".*/\1/p' "$run"/steps/0[1-9]*/step.json | sort -u | wc -l)" -eq 1 ]
}

planned() {
  # shellcheck disable=SC2086
  ramknee sweep -S sandbox $small $two --passes 3 --dry-run </dev/null >"$here/dry" 2>&1 || return 1
  grep -q "^pass 2 of 3: the same again, as steps 3 to 4, at least 4" "$here/dry" && grep -q "gone through 3 times" "$here/dry"
}
ok "the plan shows the passes" planned

run=$here/run
ok "the second pass begins" begin
kill -TERM "$sweep_pid"
ok "it is interrupted there: status 2" status_is 2 sweep_end
ok "the setting is back" setting_is "$before"
ok "the first pass is whole" steps_are 01-16G 02-8G 03-16G.part
ok "the confirmation counts every change" grep -q "each of the 5 changes empties the plan cache" "$run.err"
ok "and says how often it goes down" grep -q "goes from 16 GB to 8 GB, in 2 passes" "$run.err"
cp -R "$run" "$here/stopped"

ok "the rest is measured: status 0" status_is 0 resume
ok "the visits that are there are counted" grep -q "2 of its 4 steps are there" "$run.err"
ok "each step was visited twice, from the largest down" steps_are 01-16G 02-8G 03-16G 04-8G
ok "the visits are told apart" grep -q "pass 2 of 2, 8 GB: .* tx/s" "$run.err"
ok "the same requests were sent" same_digests
ok "the setting is back" setting_is "$before"
ok "nothing is left to do: status 0" status_is 0 resume
ok "that is said" grep -q "all of its steps" "$run.err"

like() {
  ramknee sweep --like "$run" --dry-run "$@" >"$here/like.out" 2>"$here/like.err" </dev/null
}
ok "the same again has as many passes" like
ok "that is said" grep -q "steps 16G,8G in 2 passes;" "$here/like.err"
ok "unless another number is given" like --passes 1
ok "then it is that" test -z "$(grep 'pass ' "$here/like.out")"

# The same run, as if there had been a limit that its first pass kept, and one pass more.
run=$here/stopped
sed -i -e 's/"stop_above": \[\]/"stop_above": ["p95=0.001ms"]/' -e 's/"passes": 2/"passes": 3/' "$run/run.json"
ok "a step that is worse in the second pass: status 0" status_is 0 resume
ok "what lies below is visited neither in it nor in the third" steps_are 01-16G 02-8G 03-16G 05-16G
ok "why is said" grep -q "pass 2 of 3, 16 GB: p95 is .* the descent ends here, as asked, in the passes that follow, too" "$run.err"
reported() {
  tr '\n' ' ' <"$run.out" | sed 's/  */ /g' | grep -q "The descent ended at 16 GB, as asked: .*; smaller steps were not measured any more"
}
ok "and reported" reported
ok "the setting is back" setting_is "$before"
ok "nothing is left to do: status 0" status_is 0 resume
done_testing
