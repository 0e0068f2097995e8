#!/bin/sh
# --dead-man: both processes killed, and the setting comes back without anybody; and everybody else who may be at it.
# shellcheck source=lib.sh
. "$top_srcdir/tests/sweep/lib.sh"
prepare

no_job() {
  [ "$(printf 'SELECT COUNT(*) AS v FROM sysjobs\ngo\n' | sandbox_value default msdb)" = 0 ]
}
one_job() {
  [ "$(printf 'SELECT COUNT(*) AS v FROM sysjobs\ngo\n' | sandbox_value default msdb)" = 1 ]
}

kill_both() {
  kill -STOP "$child"
  kill -KILL "$sweep_pid" "$child"
  wait "$sweep_pid" 2>/dev/null
  sweep_pid=
  wait_until 1200 ended "$child"
}

# ---- what is refused ----
ok "--dead-man-after alone is refused" status_is 1 sweep_now alone --yes --dead-man-after 1m
ok "and it is said" grep -q "belongs to --dead-man" "$here/alone.err"
ok "too short a limit is refused" status_is 1 sweep_now short --yes --dead-man --dead-man-after 5s
ok "and the least is said" grep -q "at least 10 s" "$here/short.err"
ok "nothing was changed" setting_is "$before"
ok "no journal" no_journal

# ---- a sweep that ends as it should ----
ok "a whole sweep" status_is 0 sweep_now whole --yes --dead-man --dead-man-after 10s
ok "the job is named" grep -q 'has the job "ramknee puts the memory of SANDBOX-DEFAULT back when run whole is dead"' "$here/whole.err"
ok "the confirmation names it" grep -q "not be heard of for 10 s, a job of SQL Server Agent puts it back" "$here/whole.err"
ok "the job is gone" no_job
ok "the setting is back" setting_is "$before"
ok "nobody was taken for dead" test -z "$(grep 'taken this sweep for dead' "$here/whole.err")"

ok "SIGTERM: a step is at work" sweep_begin term --dead-man --dead-man-after 10s
ok "SIGTERM: there is a job" one_job
kill -TERM "$sweep_pid"
ok "SIGTERM: status 2" status_is 2 sweep_end
ok "SIGTERM: the setting is back" setting_is "$before"
ok "SIGTERM: the job is gone" no_job

# ---- both killed: nobody is left on this side ----
ok "both killed: a step is at work" sweep_begin both --dead-man --dead-man-after 10s --steps 16G,12G,8G --passes 2 --refine --budget 5s --measure 8s
kill_both
ok "both killed: the setting is not back" setting_is_not "$before"
ok "both killed: it comes back by itself" wait_until 600 setting_is "$before"
ok "both killed: the job deletes itself" wait_until 100 no_job
ok "both killed: the journal is still there" test -n "$(journals)"

# ---- and gone on with, under a job of its own ----
ramknee sweep --resume "$run" --yes --no-pictures >"$here/next.out" 2>"$here/next.err" </dev/null &
sweep_pid=$!
ok "resumed: the option comes with the run: there is a job again" wait_until 600 one_job
ok "resumed: it ends with status 0" status_is 0 sweep_end
ok "resumed: it says who has put it back" grep -q "the dead-man's job put max server memory of SANDBOX-DEFAULT back to 200000 MB at .*run both had not been heard of" "$here/next.err"
ok "resumed: the confirmation names the job" grep -q "not be heard of for 10 s, a job of SQL Server Agent puts it back" "$here/next.err"
ok "resumed: every step of both passes is there" test "$(find "$run/steps" -name '0[1-6]-*G' | wc -l)" -eq 6
ok "resumed: steps were added, or it is said why not" grep -q '"end": "' "$run/refine.json"
ok "resumed: the job is gone" no_job
ok "the setting is as it was" setting_is "$before"
ok "the journal is gone" no_journal
ok "it is said once" test "$(ramknee restore -S sandbox 2>&1 | grep -c "dead-man's job")" = 0

if [ "${RK_LONG:-}" = ci ]; then
  done_testing
  exit
fi

# Another client finds the record on the server alone.
ok "restore: a step is at work" sweep_begin restored --dead-man --dead-man-after 10s
kill_both
rm "$XDG_STATE_HOME/ramknee/journal/$(journals)"
ok "restore: it comes back by itself" wait_until 600 setting_is "$before"
ok "restore: the job deletes itself" wait_until 100 no_job
ramknee restore -S sandbox >"$here/restore.out" 2>&1
is "restore: status 0" $? 0
ok "restore: says who was quicker" grep -q "the dead-man's job put max server memory" "$here/restore.out"

# Restore comes before the job does.
ok "quick restore: a step is at work" sweep_begin quick --dead-man --dead-man-after 1h
kill_both
ok "quick restore: there is a job" one_job
ok "quick restore: drop is refused" status_is 1 ramknee drop -S sandbox --yes
ok "quick restore: restore" ramknee restore -S sandbox
ok "quick restore: the setting is back" setting_is "$before"
ok "quick restore: the job is gone" no_job

# A DBA steps in after the sweep has died.
ok "a DBA: a step is at work" sweep_begin dba --dead-man --dead-man-after 10s
kill_both
set_max 150000
theirs=$(setting)
ok "a DBA: the job ends" wait_until 600 no_job
ok "a DBA: their setting stays" setting_is "$theirs"
ramknee restore -S sandbox >"$here/dba.out" 2>&1
ok "a DBA: restore says so" grep -q "somebody else had set it to 150000 MB" "$here/dba.out"
ok "a DBA: their setting still stays" setting_is "$theirs"
set_max 200000

# The server goes down with the sweep and comes back: its Agent, too.
ok "restart: a step is at work" sweep_begin restart --dead-man --dead-man-after 10s
kill_both
port=$(sandbox_port_of default)
kill -KILL "$sandbox_pid"
wait "$sandbox_pid" 2>/dev/null
sandbox_start default --port "$port" || echo "Bail out! the sandbox did not start again"
ok "restart: it comes back by itself" wait_until 600 setting_is "$before"
ok "restart: restore clears up" ramknee restore -S sandbox

# A client that stands still keeps its lock: after three times the limit the job goes on without it, and the client hears of it.
ok "stopped: a step is at work" sweep_begin stopped --dead-man --dead-man-after 10s --measure 5s
kill -STOP "$sweep_pid" "$child"
ok "stopped: it comes back by itself" wait_until 900 setting_is "$before"
kill -CONT "$sweep_pid" "$child"
ok "stopped: the sweep ends with status 2" status_is 2 sweep_end
ok "stopped: and has heard of it" grep -q "taken this sweep for dead" "$here/stopped.err"
ok "stopped: the setting is back" setting_is "$before"
ok "stopped: the journal is gone" no_journal

# ---- no Agent ----
sandbox_stop default
sandbox_start default --persona no-agent || echo "Bail out! the sandbox did not start again"
before=$(setting)
ok "no Agent: refused" status_is 1 sweep_now no-agent --yes --dead-man
ok "no Agent: with a sentence" grep -q "SQL Server Agent does not run here" "$here/no-agent.err"
ok "no Agent: nothing was changed" setting_is "$before"
ok "no Agent: no journal" no_journal
done_testing
