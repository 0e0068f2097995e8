#!/bin/sh
# What is refused before anything is changed: status 1, one sentence, the setting as it was.
# shellcheck source=lib.sh
. "$top_srcdir/tests/sweep/lib.sh"

# refused NAME WORD OPTION...: status 1 and the word in what is said.
refused() {
  what=$1
  word=$2
  shift 2
  run=$here/r
  ramknee sweep "$@" >"$run.out" 2>"$run.err" </dev/null
  status=$?
  if [ $status -eq 1 ] && grep -q -- "$word" "$run.err"; then
    ok "$what" true
  else
    echo "# status $status"
    show "$run.err"
    ok "$what" false
  fi
}

# Those that need no server.
refused "an unknown option" "unrecognized" -S sandbox --nonsense
refused "no server named" "-S" --yes
refused "a size that is none" "8X" -S sandbox --steps 8X,4G --yes
refused "a negative size" "-1G" -S sandbox --steps=-1G,4G --yes
refused "a step below 128 MB" "128 MB" -S sandbox --steps 8G,64M --yes
refused "a step named twice" "twice" -S sandbox --steps 8G,8G --yes
refused "--from below --to" "above" -S sandbox --from 4G --to 8G --yes
refused "--from alone" "belong together" -S sandbox --from 4G --yes
refused "a figure that is none" "p98" -S sandbox --stop-above p98=5ms --yes
refused "a limit without a unit" "50" -S sandbox --stop-above p95=50 --yes
refused "a limit of 0" "above 0" -S sandbox --stop-above p95=0 --yes
refused "a figure named twice" "twice" -S sandbox --stop-above p95=5ms --stop-above p95=6ms --yes
refused "a floor that is no size" "floor" -S sandbox --floor 64M --yes
refused "both demands" "either" -S sandbox --think 1s --rate 10 --yes
refused "no sandbox running" "sandbox" -S sandbox:absent --yes
refused "no such server" "" -S 127.0.0.1:1 -U sa --password-file /dev/null --yes
refused "no terminal and no --yes" "no terminal" -S 127.0.0.1:1 -U sa --password-file /dev/null

prepare
refused "no terminal and no --yes, with a server" "no terminal" -S sandbox
refused "a named step above the machine's memory" "512 GB" -S sandbox --steps 512G,8G --yes
refused "a named step below what the sandbox takes" "below the least" -S sandbox --steps 8G,1G --yes
refused "no such database" "nowhere" -S sandbox -d nowhere --steps 16G,8G --yes
: >"$here/file"
refused "a run folder below a file" "run folder that can be written" -S sandbox --steps 16G,8G --run "$here/file/run" --yes
mkdir "$here/full"
: >"$here/full/something"
refused "a run folder that is not empty" "not empty" -S sandbox --steps 16G,8G --run "$here/full" --yes
refused "so does a dry run" "not empty" -S sandbox --steps 16G,8G --run "$here/full" --dry-run
refused "a dry run of a dead man's job that is too hasty" "too short" -S sandbox --steps 16G,8G --dead-man --dead-man-after 1s --dry-run
refused "a named step below the floor" "8 GB is below the floor of 12 GB" -S sandbox --steps 16G,8G --floor 12G --yes
e=127.0.0.1:$(sandbox_port_of default)
refused "a named step below the usual floor of a server" "3 GB is below the floor of 4 GB" -S "$e" -U sa --password-file /dev/null --encrypt=off --steps 8G,3G --yes
(
  XDG_STATE_HOME=$here/file
  export XDG_STATE_HOME
  run=$here/r
  ramknee sweep -S "$e" -U sa --password-file /dev/null --encrypt=off --steps 16G,8G --run "$here/nojournal" --yes >"$run.out" 2>"$run.err" </dev/null
  [ $? -eq 1 ] && grep -q journal "$run.err"
)
ok "a journal that cannot be written" test $? -eq 0
ok "then no run folder is left behind" test ! -e "$here/nojournal"
# A disk that is full, as a limit on the size of files: the run's facts do not fit.
(
  ulimit -f 1
  ramknee sweep -S sandbox --steps 16G,8G --run "$here/nospace" --yes 2>&1 </dev/null
  echo "status $?"
) | cat >"$here/nospace.out"
ok "a disk that is full at the start" grep -q "^status 1$" "$here/nospace.out"
ok "in a sentence that names the folder" grep -q "cannot write.*nospace" "$here/nospace.out"
ok "and nothing is left of it" test ! -e "$here/nospace"
# On a terminal it asks; the answer is typed when the question stands there.
answer() {
  rm -f "$here/keys"
  mkfifo "$here/keys"
  SHELL=/bin/sh timeout 300 script -qec "exec ramknee sweep -S sandbox --steps 16G,8G --run $here/asked" /dev/null <"$here/keys" >"$here/asked.out" 2>&1 &
  asked=$!
  exec 3>"$here/keys"
  wait_until 1200 grep -q "Go on?" "$here/asked.out"
  printf '%b' "$1" >&3
  wait "$asked"
  status=$?
  exec 3>&-
  [ $status -eq 1 ] && grep -q "nothing was changed" "$here/asked.out" && [ ! -e "$here/asked" ] && return 0
  echo "# status $status"
  show "$here/asked.out"
  return 1
}
# An interrupt that comes earlier: while the server has not answered yet; or later, while it is looked at.  (A process in the background of a
# shell ignores SIGINT unless it is told not to.)
early() {
  run=$here/early
  env --default-signal=INT ramknee sweep -S sandbox --steps 16G,8G --run "$run" --yes >"$run.out" 2>"$run.err" </dev/null &
  sweep_pid=$!
}
has_child() {
  [ -n "$(cat "/proc/$sweep_pid/task/$sweep_pid/children" 2>/dev/null)" ]
}
untouched() {
  wait "$sweep_pid"
  status=$?
  sweep_pid=
  [ $status -eq 1 ] && grep -q "nothing was changed" "$run.err" && [ ! -e "$run" ] && return 0
  echo "# status $status"
  show "$run.err"
  return 1
}
interrupt_in_the_log_in() {
  kill -STOP "$sandbox_pid"
  early
  wait_until 1200 has_child
  kill -INT "$sweep_pid"
  kill -CONT "$sandbox_pid"
  untouched
}
interrupt_in_the_preflight() {
  echo "before 0" >"$sandbox_folder/hold-server-rights"
  early
  wait_until 1200 test -e "$sandbox_folder/held-server-rights"
  kill -INT "$sweep_pid"
  wait_until 1200 grep -q "ending after" "$run.err"
  rm -f "$sandbox_folder/held-server-rights"
  untouched
}
if command -v script >/dev/null; then
  ok "no, on a terminal" answer 'n\n'
  ok "an interrupt, on a terminal" answer '\003'
else
  skip "no, on a terminal" "script is not installed"
  skip "an interrupt, on a terminal" "script is not installed"
fi
ok "an interrupt before the server has answered" interrupt_in_the_log_in
ok "an interrupt before the question" interrupt_in_the_preflight
# After a drop there is no place for a record of a sweep.
nothing_left() {
  ramknee restore -S sandbox "$@" >"$here/restore.out" 2>&1 && grep -q "nothing to put back.*'ramknee_orders'" "$here/restore.out" && return 0
  show "$here/restore.out"
  return 1
}
ok "restore where no sweep was: status 0" nothing_left
ramknee drop -S sandbox --yes >/dev/null 2>&1
ok "restore after drop: status 0" nothing_left
ok "it says that the database is not there, and the setting" grep -q "does not exist; max server memory is 200000 MB" "$here/restore.out"
ok "the setting was never changed" setting_is "$before"
ok "and no journal written" no_journal
done_testing
