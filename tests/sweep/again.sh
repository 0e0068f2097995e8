#!/bin/sh
# A run that is broken off, again and again, and gone on with; and the same once more by --like.
# shellcheck source=lib.sh
. "$top_srcdir/tests/sweep/lib.sh"
prepare
run=$here/run

# Until the second step is at work.
in_step_2() {
  wait_until 900 test -d "$run/steps/02-8G.part" || { show "$run.err"; return 1; }
  # shellcheck disable=SC2034
  child=$(tr -d ' ' <"/proc/$sweep_pid/task/$sweep_pid/children")
  wait_until 200 setting_is_not "$before"
}

begin() {
  # shellcheck disable=SC2086
  ramknee sweep -S sandbox $small --steps 16G,8G --measure 5s --burn-in 0 --run "$run" --yes >"$run.out" 2>"$run.err" </dev/null &
  sweep_pid=$!
  in_step_2
}

# Without -S: the server of the run.
resume() {
  ramknee sweep --resume "$run" --yes --no-pictures "$@" >"$run.out" 2>"$run.err" </dev/null
}

# Not that of the session before.
fresh_step_2() {
  find "$run/steps/02-8G.part" -newer "$run/sessions.json" | grep -q .
}

resume_begin() {
  ramknee sweep --resume "$run" --yes --no-pictures >"$run.out" 2>"$run.err" </dev/null &
  sweep_pid=$!
  wait_until 900 fresh_step_2 || { show "$run.err"; return 1; }
  in_step_2
}

# refused WORD OPTION...: status 1, the word in what is said, and nothing in the run has changed.
refused() {
  word=$1
  shift
  find "$run" -type f -exec cksum {} + | sort >"$here/files"
  resume "$@"
  status=$?
  find "$run" -type f -exec cksum {} + | sort >"$here/files.after"
  if [ $status -ne 1 ] || ! grep -q -- "$word" "$run.err"; then
    echo "# status $status"
    show "$run.err"
    return 1
  fi
  cmp -s "$here/files" "$here/files.after"
}

# The times of all samples and seconds, in the order of the steps, rise.
times_rise() {
  for f in "$run"/steps/0[1-9]-*/samples.tsv; do
    awk -F'\t' 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "at_ns") c = i } NR > 1 { print $c }' "$f"
  done | sort -c -n -u
}

same_digests() {
  [ "$(sed -n 's/.*"digest": *"\([0-9a-f]*\)".*/\1/p' "$run"/steps/0[1-9]*/step.json | sort -u | wc -l)" -eq 1 ]
}

ok "both processes are killed in the second step" begin
kill -STOP "$child"
kill -KILL "$sweep_pid" "$child"
wait "$sweep_pid" 2>/dev/null
sweep_pid=
wait_until 200 test ! -d "/proc/$child"
ok "going on is refused while the setting is not back" refused "ramknee restore"
ok "restore" ramknee restore -S sandbox
ok "another seed is refused" refused "--seed" --seed 2
ok "another database is refused" refused "load" -d master
ok "a session begins" resume_begin
kill -TERM "$sweep_pid"
ok "it is interrupted in the second step: status 2" status_is 2 sweep_end
ok "the setting is back" setting_is "$before"
port=$(sandbox_port_of default)
sandbox_stop default
sandbox_start default --port "$port" || echo "Bail out! the sandbox did not start again"
ok "the next session ends it: status 0" status_is 0 resume
ok "a restart of the server is allowed, and said" grep -q "server was restarted" "$run.err"
ok "each step is whole" test -d "$run/steps/01-16G" -a -d "$run/steps/02-8G" -a ! -d "$run/steps/02-8G.part"
ok "run time goes on" times_rise
ok "the same requests were sent" same_digests
ok "the setting is back" setting_is "$before"
ok "the journal is gone" no_journal
ok "the run's end is that of the last session" grep -q '"status": 0' "$run/end.json"
ok "the log has all of them" test "$(grep -c 'is 200000 MB again' "$run/log.txt")" -eq 2
ok "the report counts the sessions" grep -q "^Resumed *2 times, at .* and at" "$run.out"
# Between them stands a line without values, so that no curve goes across.
ok "the sessions are parted in the picture" test "$(awk -F'\t' '$2 == ""' "$run/samples.tsv" | wc -l)" -eq 1
ok "nothing is left to do: status 0" status_is 0 resume
ok "that is said" grep -q "all of its steps" "$run.err"

like() {
  ramknee sweep --like "$run" "$@" --dry-run >"$here/like.out" 2>"$here/like.err" </dev/null
}
ok "the same again" like --measure 3s
ok "with its demand and its steps" grep -q "as $run: steps 16G,8G; 8 users thinking 0.0 ms, seed 1" "$here/like.err"
ok "what is given here wins" grep -q "measure for 3 s.*given here: --measure" "$here/like.err"
ok "in the plan" grep -q "measure for 3 s" "$here/like.out"
ok "a folder that is no run: status 1" status_is 1 ramknee sweep --like "$here" --dry-run

rm -r "$run/steps/02-8G"
ramknee load -S sandbox --size 5G --streams 2 --seed 7 --replace --yes >/dev/null 2>&1
ok "data that were loaded anew are refused" refused "database's"
done_testing
