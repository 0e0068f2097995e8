#!/bin/sh
# --set-with: a login that may not change the setting, and a command of the user's own that may: here as the login dba.
# shellcheck source=lib.sh
. "$top_srcdir/tests/sweep/lib.sh"
sandbox_start default --persona no-permission && ramknee load -S sandbox --size 5G --streams 2 --yes >"$here/load.out" 2>&1 || {
  echo "Bail out! no sandbox"
  show "$here/load.out"
  exit 1
}
before=$(setting)
set=$here/set.sh
cat >"$set" <<EOF
#!/bin/sh
echo "asked for \$1 MB of \$RAMKNEE_SERVER"
[ "\$1" = "\$RAMKNEE_MAX_MEMORY_MB" ] || exit 9
printf '%s\ngo\n' "EXEC sp_configure 'show advanced options', 1; RECONFIGURE; EXEC sp_configure 'max server memory (MB)', \$1; RECONFIGURE;
EXEC sp_configure 'show advanced options', 0; RECONFIGURE;" | TDSVER=7.4 tsql -H 127.0.0.1 -p $(sandbox_port_of default) -U dba -P x >/dev/null 2>&1
EOF
chmod +x "$set"

options="--users 8 --think 0 --steps 16G,8G --settle-max 20s --warm 1s --warm-max 1s --measure 8s --burn-in 0 --no-drift --no-pictures"

# with NAME COMMAND OPTION...: in the foreground.
with() {
  run=$here/$1
  command=$2
  shift 2
  # shellcheck disable=SC2086
  ramknee sweep -S sandbox $options --run "$run" --yes --set-with "$command" "$@" >"$run.out" 2>"$run.err" </dev/null
}

# Until the first change has been made.
with_begin() {
  run=$here/$1
  # shellcheck disable=SC2086
  ramknee sweep -S sandbox $options --burn-in 60s --run "$run" --yes --set-with "'$set' \"\$1\"" >"$run.out" 2>"$run.err" </dev/null &
  sweep_pid=$!
  wait_until 300 setting_is_not "$before" || { show "$run.err"; return 1; }
  # shellcheck disable=SC2034
  child=$(tr -d ' ' <"/proc/$sweep_pid/task/$sweep_pid/children")
}

kill_both() {
  kill -STOP "$child"
  kill -KILL "$sweep_pid" "$child"
  wait "$sweep_pid" 2>/dev/null
  sweep_pid=
  wait_until 1200 ended "$child"
}

ok "a sweep that the command sets" status_is 0 with whole "'$set' \"\$1\""
ok "both steps are whole" test -d "$here/whole/steps/01-16G" -a -d "$here/whole/steps/02-8G"
ok "the setting is back" setting_is "$before"
ok "the journal is gone" no_journal
ok "what it says is in the log" grep -q "set-with: asked for 8192 MB of sandbox" "$here/whole/log.txt"
ok "the confirmation names it" grep -q "each is made by the command.*set.sh" "$here/whole.err"

ok "a command that fails: status 2" status_is 2 with fails "echo no such group; exit 3"
ok "in its own words" grep -q "ended with status 3; it said last: no such group" "$here/fails.err"
ok "one that does nothing is not believed" status_is 2 with nothing "true" --set-with-max 1s
ok "the setting is untouched" setting_is "$before"
ok "an empty one is refused" status_is 1 with none " "

ok "child killed: the command has set something" with_begin child
kill -KILL "$child"
ok "child killed: status 2" status_is 2 sweep_end
ok "child killed: the setting is back" setting_is "$before"

ok "both killed: the command has set something" with_begin both
kill_both
ok "both killed: restore puts back by the journal's command" ramknee restore -S sandbox
ok "both killed: the setting is back" setting_is "$before"

ok "another client: the command has set something" with_begin other
kill_both
rm "$XDG_STATE_HOME/ramknee/journal/$(journals)"
ok "another client: a command that the server's record names is not run" status_is 3 ramknee restore -S sandbox 2>"$here/other.restore"
last_is_command() {
  tail -n 1 "$here/other.restore" | grep -q "^RAMKNEE_MAX_MEMORY_MB=[0-9]* .*/bin/sh -c .*set.sh"
}
ok "another client: it is the last line" last_is_command
ok "another client: given by the user it is" ramknee restore -S sandbox --set-with "'$set' \"\$1\""
ok "another client: the setting is back" setting_is "$before"
done_testing
