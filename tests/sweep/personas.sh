#!/bin/sh
# Servers that are not as one would like them: a floor above the steps, memory that is not given back, no right to set, another instance, ...
# (tests/long/personas has all of them.)
# shellcheck source=lib.sh
. "$top_srcdir/tests/sweep/lib.sh"

two_steps="--users 8 --think 0 --warm 1s --warm-max 1s --burn-in 0 --no-drift --no-pictures"

# with_persona NAME: the sandbox, with the data of the one load and a new server's settings; what must come back in $before.
with_persona() {
  sandbox_stop default
  rm -f "$sandbox_folder/settings"
  sandbox_start default --persona "$1" || {
    echo "Bail out! no sandbox $1"
    exit 1
  }
  before=$(setting)
}

# two NAME OPTION...
two() {
  run=$here/$1
  shift
  # shellcheck disable=SC2086
  ramknee sweep -S sandbox $two_steps --steps 16G,8G --settle-max 60s --measure 5s --run "$run" --yes "$@" >"$run.out" 2>"$run.err" </dev/null
}

last_is_statement() {
  tail -n 1 "$1" | grep -q "^EXEC sp_configure.*'max server memory (MB)', 2147483647; .*RECONFIGURE;$"
}

prepare
with_persona min-memory
ok "a floor above the steps is lowered with them" status_is 0 two floor
ok "and goes back, too" setting_is "$before"
ok "it was said before" grep -q "min server memory" "$here/floor.err"

with_persona wont-shrink
ok "a setting that is not reached makes the results incomplete" status_is 2 two stuck --settle-max 3s --measure 3s
ok "and is said" grep -q "8 GB: the server had not come to this setting" "$here/stuck.err"
ok "the steps are kept and marked" grep -q '"reached": false' "$here/stuck/steps/02-8G/step.json"
ok "the setting is back" setting_is "$before"

with_persona no-permission
ok "without the right to set nothing is begun" status_is 1 two denied
ok "the right is named" grep -q "ALTER SETTINGS" "$here/denied.err"
ok "no folder is left behind" test ! -e "$here/denied"

with_persona large-pages
ok "large pages are refused" status_is 1 two large
ok "in a sentence" grep -q "large pages" "$here/large.err"

with_persona reconfigure-fails
ok "RECONFIGURE is refused: status 2" status_is 2 two refused
ok "the reason is said" grep -q "RECONFIGURE is refused while 'allow updates' is 1 (message 5808" "$here/refused.err"
ok "the value that was stored is taken back" setting_is "$before"
ok "and no journal is left" no_journal

with_persona other-instance
ok "after a reconnect another instance answers: status 3" status_is 3 two other
ok "it is named" grep -q "another instance answers: SANDBOX-DEFAULT-B, not SANDBOX-DEFAULT" "$here/other.err"
ok "the statement to run by hand is the last line" last_is_statement "$here/other.err"
ok "nothing was written to it" setting_is_not "$before"
ok "the journal is kept" test -n "$(journals)"
ok "restore does not write there either" status_is 3 ramknee restore "$XDG_STATE_HOME/ramknee/journal/$(journals)" --put-back-max 1s
sandbox_stop default
sandbox_start default
ok "restore puts back when the right one answers" ramknee restore "$XDG_STATE_HOME/ramknee/journal/$(journals)"
ok "then the setting is back" setting_is "$before"
done_testing
