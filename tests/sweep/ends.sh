#!/bin/sh
# Every way in which a sweep can end in the middle of a step: the setting is back afterwards, and what was measured can be reported.
# shellcheck source=lib.sh
. "$top_srcdir/tests/sweep/lib.sh"
prepare

end_is_written() {
  grep -q "\"status\": $2" "$1/end.json" && grep -q '"put_back": true' "$1/end.json"
}

# What is there is reported, and called incomplete.
reportable() {
  ramknee report --no-pictures "$1" >"$1.table" 2>"$1.table.err"
  [ $? -eq 2 ] && grep -q "16 GB" "$1.table" && return 0
  show "$1.table.err"
  return 1
}

# The checks that all of them share.
back_to_normal() {
  ok "$1: the setting is back" setting_is "$before"
  ok "$1: the journal is gone" no_journal
}

for sig in TERM HUP; do
  ok "SIG$sig: a step is at work" sweep_begin "$sig"
  kill -$sig "$sweep_pid"
  ok "SIG$sig: status 2" status_is 2 sweep_end
  back_to_normal "SIG$sig"
  ok "SIG$sig: the end is written down" end_is_written "$here/$sig" 2
  ok "SIG$sig: report works on what is there" reportable "$here/$sig"
done

ok "child killed: a step is at work" sweep_begin child
kill -KILL "$child"
ok "child killed: status 2" status_is 2 sweep_end
back_to_normal "child killed"
ok "child killed: the end is written down" end_is_written "$here/child" 2
ok "child killed: report works on what is there" reportable "$here/child"

ok "parent killed: a step is at work" sweep_begin parent
kill -KILL "$sweep_pid"
wait "$sweep_pid" 2>/dev/null
sweep_pid=
ok "parent killed: the child puts back" wait_until 1800 no_journal
back_to_normal "parent killed"
wait_until 1200 ended "$child"
ok "parent killed: report works on what is there" reportable "$here/parent"

# Both at once: only the journal is left, and the row on the server.
ok "both killed: a step is at work" sweep_begin both
kill -STOP "$child"
kill -KILL "$sweep_pid" "$child"
wait "$sweep_pid" 2>/dev/null
sweep_pid=
wait_until 1200 ended "$child"
ok "both killed: the setting is not back" setting_is_not "$before"
ok "both killed: another sweep is refused" status_is 1 sweep_now refused --yes
ok "both killed: and told what to do" grep -q "ramknee restore" "$here/refused.err"
ok "restore with the journal" ramknee restore "$XDG_STATE_HOME/ramknee/journal/$(journals)"
back_to_normal "restore with the journal"
ok "restore again has nothing to do" ramknee restore -S sandbox
ok "nor is there a record anywhere" ramknee restore -S sandbox -d nowhere

ok "another client: a step is at work" sweep_begin other
ok "restore is refused while a sweep is at work" status_is 1 ramknee restore -S sandbox --put-back-max 1s
kill -STOP "$child"
kill -KILL "$sweep_pid" "$child"
wait "$sweep_pid" 2>/dev/null
sweep_pid=
wait_until 1200 ended "$child"
rm "$XDG_STATE_HOME/ramknee/journal/$(journals)"
ok "another client: a sweep is refused by the row on the server" status_is 1 sweep_now refused2 --yes
ramknee restore -S sandbox -d nowhere >"$here/nowhere.out" 2>&1
is "another client: with another database nothing is put back: status 1" $? 1
ok "another client: and told which one has the record" grep -q "one of a sweep that was broken off in 'ramknee_orders'" "$here/nowhere.out"
ok "another client: restores from the row" ramknee restore -S sandbox
back_to_normal "another client"

ok "a DBA steps in: a step is at work" sweep_begin dba
set_max 150000
theirs=$(setting)
ok "a DBA steps in: status 2" status_is 2 sweep_end
ok "a DBA steps in: their setting stays" setting_is "$theirs"
ok "a DBA steps in: it is said" grep -q "somebody else has changed" "$here/dba.err"
ok "a DBA steps in: the journal is gone" no_journal
set_max 200000

# A disk that fills up in the middle, as a limit on the size of files.
(
  run=$here/full
  ulimit -f 40
  # shellcheck disable=SC2086
  ramknee sweep -S sandbox $small --measure 20s --run "$run" --yes 2>&1 </dev/null
  echo "status $?"
) | cat >"$here/full.out"
ok "disk full: status 2" grep -q "^status 2$" "$here/full.out"
back_to_normal "disk full"

# A signal while the report is made, here by a gnuplot that never ends: the setting is back already.
mkdir "$here/tools"
printf '#!/bin/sh\n: >"%s/drawing"\nexec sleep 600\n' "$here" >"$here/tools/gnuplot"
chmod +x "$here/tools/gnuplot"
PATH=$here/tools:$PATH ramknee sweep -S sandbox --users 8 --think 0 --steps 16G,12G --warm 0 --warm-max 0 --measure 1s --burn-in 0 --no-drift \
  --run "$here/drawn" --yes >"$here/drawn.out" 2>"$here/drawn.err" </dev/null &
sweep_pid=$!
run=$here/drawn
ok "SIGTERM at the report: it is at work" wait_until 1800 test -e "$here/drawing"
kill -TERM "$sweep_pid"
ok "SIGTERM at the report: status 2" status_is 2 sweep_end
back_to_normal "SIGTERM at the report"
ok "SIGTERM at the report: what to do is said" grep -q "'ramknee report'" "$here/drawn.err"

# The server goes away and comes back: it is waited for.
ok "server gone: a step is at work" sweep_begin gone
port=$(sandbox_port_of default)
kill -KILL "$sandbox_pid"
wait "$sandbox_pid" 2>/dev/null
wait_until 1200 grep -q "not back yet" "$here/gone.err"
sandbox_start default --port "$port" || echo "Bail out! the sandbox did not start again"
ok "server gone: status 2" status_is 2 sweep_end
back_to_normal "server gone"

# And it does not come back in time: status 3, the statement is the last line, the journal stays.
ok "server gone for good: a step is at work" sweep_begin forgood --put-back-max 2s
kill -KILL "$sandbox_pid"
wait "$sandbox_pid" 2>/dev/null
ok "server gone for good: status 3" status_is 3 sweep_end
last_is_statement() {
  tail -n 1 "$here/forgood.err" | grep -q "^EXEC sp_configure.*'max server memory (MB)', 200000; .*RECONFIGURE;$"
}
ok "server gone for good: the last line is the statement" last_is_statement
ok "server gone for good: the journal is there" test -n "$(journals)"
sandbox_start default --port "$port" || echo "Bail out! the sandbox did not start again"
ok "server gone for good: restore puts back later" ramknee restore -S sandbox
back_to_normal "server gone for good"
done_testing
