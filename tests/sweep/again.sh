#!/bin/sh
# A run of two passes that is broken off in the second, again and again, and gone on with; --stop-above in several passes; and the same once
# more by --like.
# shellcheck source=lib.sh
. "$top_srcdir/tests/sweep/lib.sh"
prepare
run=$here/run
seconds=$((3 * slowness)) # of measuring
twice="--steps 16G,8G --passes 2 --warm 0 --warm-max 0 --measure ${seconds}s --burn-in 0"

# Until the first step of the second pass is at work.
in_pass_2() {
  wait_until 900 test -d "$run/steps/03-16G.part" || { show "$run.err"; return 1; }
  # shellcheck disable=SC2034
  child=$(tr -d ' ' <"/proc/$sweep_pid/task/$sweep_pid/children")
  wait_until 200 setting_is_not "$before"
}

begin() {
  # shellcheck disable=SC2086
  ramknee sweep -S sandbox $small $twice --run "$run" --yes >"$run.out" 2>"$run.err" </dev/null &
  sweep_pid=$!
  in_pass_2
}

# Without -S and --passes: the server and the passes of the run.
resume() {
  ramknee sweep --resume "$run" --yes --no-pictures "$@" >"$run.out" 2>"$run.err" </dev/null
}

# Not that of the session before.
fresh_pass_2() {
  find "$run/steps/03-16G.part" -newer "$run/sessions.json" | grep -q .
}

resume_begin() {
  ramknee sweep --resume "$run" --yes --no-pictures >"$run.out" 2>"$run.err" </dev/null &
  sweep_pid=$!
  wait_until 900 fresh_pass_2 || { show "$run.err"; return 1; }
  in_pass_2
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
  ramknee sweep -S sandbox $small $twice --passes 3 --dry-run </dev/null >"$here/dry" 2>&1 || return 1
  grep -q "^pass 2 of 3: the same again, as steps 3 to 4, at least $((2 * seconds))" "$here/dry" && grep -q "gone through 3 times" "$here/dry"
}
ok "the plan shows the passes" planned
ok "both processes are killed in the second pass" begin
kill -STOP "$child"
kill -KILL "$sweep_pid" "$child"
wait "$sweep_pid" 2>/dev/null
sweep_pid=
wait_until 1200 ended "$child"
ok "the confirmation counts every change" grep -q "each of the 5 changes empties the plan cache" "$run.err"
ok "and says how often it goes down" grep -q "goes from 16 GB to 8 GB, in 2 passes" "$run.err"
ok "the first pass is whole" steps_are 01-16G 02-8G 03-16G.part
ok "going on is refused while the setting is not back" refused "ramknee restore"
ok "restore" ramknee restore -S sandbox
cp -R "$run" "$here/stopped"
ok "another seed is refused" refused "--seed" --seed 2
ok "another database is refused" refused "load" -d master
# A run.json that was edited in one of the places that tell the same.
cp "$run/run.json" "$here/kept.json"
sed -i '0,/"passes": 2/s//"passes": 3/' "$run/run.json"
ok "a plan that contradicts the options is refused" refused "the plan has 'passes'"
sed "0,/\"measure_s\": $seconds/s//\"measure_s\": 4/" "$here/kept.json" >"$run/run.json"
ok "in each of its figures" refused "the plan has 'measure_s'"
cp "$here/kept.json" "$run/run.json"
ok "a session begins" resume_begin
kill -TERM "$sweep_pid"
ok "it is interrupted in the second pass: status 2" status_is 2 sweep_end
ok "the visits that were there are counted" grep -q "2 of its 4 steps are there" "$run.err"
ok "the setting is back" setting_is "$before"
port=$(sandbox_port_of default)
sandbox_stop default
sandbox_start default --port "$port" || echo "Bail out! the sandbox did not start again"
ok "the next session ends it: status 0" status_is 0 resume
ok "a restart of the server is allowed, and said" grep -q "server was restarted" "$run.err"
ok "each step was visited twice, from the largest down" steps_are 01-16G 02-8G 03-16G 04-8G
ok "the visits are told apart" grep -q "pass 2 of 2, 8 GB: .* tx/s" "$run.err"
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
ok "the same again" like
ok "with its demand, its steps and its passes" grep -q "as $run: steps 16G,8G in 2 passes; 8 users thinking 0.0 ms, seed 1" "$here/like.err"
ok "or some of it" like --passes 1 --measure 4s
ok "what is given here wins" grep -q "measure for 4 s.*given here: --passes, --measure" "$here/like.err"
ok "in the plan" grep -q "measure for 4 s" "$here/like.out"
ok "which has one pass then" test -z "$(grep "pass " "$here/like.out")"
ok "a folder that is no run: status 1" status_is 1 ramknee sweep --like "$here" --dry-run

# As if there had been a limit, which the first pass kept, and one pass more.
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

run=$here/run
rm -r "$run/steps/02-8G"
ramknee load -S sandbox --size 5G --streams 2 --seed 7 --replace --yes >/dev/null 2>&1
ok "data that were loaded anew are refused" refused "database's"
done_testing
