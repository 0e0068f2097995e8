#!/bin/sh
# Servers that are not as one would like them: a floor above the steps, memory that is not given back, no right to set.
# shellcheck source=lib.sh
. "$top_srcdir/tests/sweep/lib.sh"

two_steps="--users 8 --think 0 --steps 16G,8G --settle-max 3s --warm 1s --warm-max 1s --measure 3s --burn-in 0 --no-drift --no-pictures"

# with_persona NAME: the sandbox, loaded; what must come back in $before.
with_persona() {
  rm -rf "$XDG_STATE_HOME/ramknee"
  sandbox_start default --persona "$1" && ramknee load -S sandbox --size 5G --streams 2 --yes >"$here/load.out" 2>&1 || {
    echo "Bail out! no sandbox $1"
    show "$here/load.out"
    exit 1
  }
  before=$(setting)
}

two() {
  run=$here/$1
  # shellcheck disable=SC2086
  ramknee sweep -S sandbox $two_steps --run "$run" --yes >"$run.out" 2>"$run.err" </dev/null
}

with_persona min-memory
ok "a floor above the steps is lowered with them" status_is 0 two floor
ok "and goes back, too" setting_is "$before"
ok "it was said before" grep -q "min server memory" "$here/floor.err"
sandbox_stop default

with_persona wont-shrink
ok "a setting that is not reached makes the results incomplete" status_is 2 two stuck
ok "and is said" grep -q "8 GB: the server had not come to this setting" "$here/stuck.err"
ok "the steps are kept and marked" grep -q '"reached": false' "$here/stuck/steps/02-8G/step.json"
ok "the setting is back" setting_is "$before"
sandbox_stop default

with_persona no-permission
ok "without the right to set nothing is begun" status_is 1 two denied
ok "the right is named" grep -q "ALTER SETTINGS" "$here/denied.err"
ok "no folder is left behind" test ! -e "$here/denied"
done_testing
