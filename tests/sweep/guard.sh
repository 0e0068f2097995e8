#!/bin/sh
# --stop-above and --floor, what a confirmation says about other people, and what is noted at a step that they work beside.
# shellcheck source=lib.sh
. "$top_srcdir/tests/sweep/lib.sh"

sandbox_start default --persona busy && ramknee load -S sandbox --size 5G --streams 2 --yes >"$here/load.out" 2>&1 || {
  echo "Bail out! no sandbox"
  exit 1
}
set_max 200000
before=$(setting)

# Somebody else is connected and sends 100 batches, again and again, until the file goes away.
: >"$here/others-work"
{
  while [ -e "$here/others-work" ]; do
    i=0
    while [ $i -lt 100 ]; do
      printf 'select 1\ngo\n'
      i=$((i + 1))
    done
    sleep 0.2
  done
} | tsql -H 127.0.0.1 -p "$(sandbox_port_of default)" -U reporter -P x >/dev/null 2>&1 &
somebody_is_there() {
  printf "select count(*) as v from sys.dm_exec_sessions where login_name = 'reporter'\ngo\n" | sandbox_value default | grep -qx 1
}
wait_until 200 somebody_is_there

# Its first step is worse than that; the drift step still runs.
stopped() {
  run=$here/stopped
  ramknee sweep -S sandbox --users 8 --think 0 --steps 16G,12G,8G --settle-max 60s --warm 1s --warm-max 1s --measure 3s --burn-in 0 --no-pictures \
    --stop-above p99=1h --stop-above mean=0.01ms --run "$run" --yes >"$run.out" 2>"$run.err" </dev/null
}
floor_is_said() {
  ramknee sweep -S sandbox --floor 16G --dry-run </dev/null >"$here/dry" 2>&1 && grep -q "left out of the default steps: 8 GB is below the floor of 16 GB" "$here/dry"
}
notes() {
  grep -q "\"$1\"" "$run/steps/01-16G/step.json"
}

ok "--stop-above: an intended end has status 0" status_is 0 stopped
rm "$here/others-work"
is "--stop-above: the drift step ran, smaller ones did not" "$(ls "$run/steps" | tr '\n' ' ')" "00-16G 01-16G 04-16G "
ok "--stop-above: it is said" grep -q "the descent ends here, as asked" "$run.err"
ok "--stop-above: the plan said so before" grep -q "p99 above 3600 s or mean above 0.01 ms" "$run.err"
ok "--stop-above: the step has the note" notes stop-above
ok "--stop-above: the report says where" grep -q "The descent ended at 16 GB, as asked: its mean was" "$run.out"
ok "--stop-above: and calls nothing missing" test "$(grep -c "missing: \|incomplete" "$run.out")" -eq 0
ok "--stop-above: the setting is back" setting_is "$before"
ok "--floor: default steps below it are left out" floor_is_said
ok "the confirmation names server and range" grep -Eq "whole instance SANDBOX.*" "$run.err"
ok "and the flushes of the plan cache" grep -q "each of the .*5 changes empties the plan cache" "$run.err"
ok "and who is there" grep -q "Other people's sessions (1) will feel it: reporter from .* with .* (1)" "$run.err"
for code in saw-others saw-plans saw-log-growth; do
  ok "noted at the step: $code" notes "$code"
done
ok "and in the report" grep -q "^- other people's batches: .* at 16 GB" "$run.out"
done_testing
