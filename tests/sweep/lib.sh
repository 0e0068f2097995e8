# Sourced by the shell tests of sweep: a sandbox with a small database, what its setting is, and sweeps to disturb.
# shellcheck shell=sh
# shellcheck source=../lib/sandbox.sh
. "$top_srcdir/tests/lib/sandbox.sh"

here=$sandbox_home
sweep_pid=

# A sweep that was begun must not outlive the test.
sweep_cleanup() {
  [ -z "$sweep_pid" ] || kill "$sweep_pid" 2>/dev/null
  sandbox_cleanup
}
trap sweep_cleanup EXIT

# Show a file as diagnostics.
show() {
  sed 's/^/# /' "$1"
}

# The three options that a sweep touches, stored and in use: "518 0 0 1543 0 16 1544 200000 200000".
setting() {
  printf 'SELECT * FROM sys.configurations\ngo\n' | sandbox_sql default |
    awk -F'\t' '$1 == 518 || $1 == 1543 || $1 == 1544 { print $1, $3, $6 }' | sort -n | tr '\n' ' '
}

# set_max MB: as a DBA would.
set_max() {
  printf '%s\ngo\n' "EXEC sp_configure 'show advanced options', 1; RECONFIGURE; EXEC sp_configure 'max server memory (MB)', $1; RECONFIGURE;
EXEC sp_configure 'show advanced options', 0; RECONFIGURE;" | sandbox_sql default >/dev/null
}

setting_is() {
  now=$(setting)
  [ "$now" = "$1" ] && return 0
  echo "# the setting is $now, not $1"
  return 1
}

setting_is_not() {
  now=$(setting)
  [ -n "$now" ] && [ "$now" != "$1" ]
}

# The sandbox with data and a setting of its own; leaves what must come back in $before, and in $slowness by what to multiply short times of
# measuring so that they hold 1,000 requests: 1, on a machine so slow or busy that the load takes five times as long as usual 5.
prepare() {
  sandbox_start default || { echo "Bail out! the sandbox did not start"; exit 1; }
  load_begin=$(date +%s)
  ramknee load -S sandbox --size 5G --streams 2 --yes >"$here/load.out" 2>&1 || {
    echo "Bail out! the load failed"
    show "$here/load.out"
    exit 1
  }
  slowness=1
  # shellcheck disable=SC2034  # for the tests
  [ $(($(date +%s) - load_begin)) -lt 8 ] || slowness=5
  set_max 200000
  # shellcheck disable=SC2034  # for the tests
  before=$(setting)
}

journals() {
  ls "$XDG_STATE_HOME/ramknee/journal" 2>/dev/null
}

no_journal() {
  [ -z "$(journals)" ]
}

small="--users 8 --think 0 --steps 16G,12G,8G --settle-max 60s --warm 1s --warm-max 1s --measure 5s --burn-in 1s --no-drift --no-pictures"

# sweep_now NAME OPTION...: in the foreground; its status.
sweep_now() {
  run=$here/$1
  shift
  # shellcheck disable=SC2086
  ramknee sweep -S sandbox $small --run "$run" "$@" >"$run.out" 2>"$run.err" </dev/null
}

# sweep_begin NAME OPTION...: in the background, until its second step is at work; $sweep_pid and $child.  So many steps come after it that
# the test has time for what it does meanwhile.
sweep_begin() {
  run=$here/$1
  shift
  # shellcheck disable=SC2086
  ramknee sweep -S sandbox $small --run "$run" --yes --steps 16G,12G,10G,8G,7G,6G,5G,4G --measure 2s --burn-in 0 "$@" >"$run.out" 2>"$run.err" </dev/null &
  sweep_pid=$!
  wait_until 1800 test -d "$run/steps/02-12G.part" || { show "$run.err"; return 1; }
  # shellcheck disable=SC2034
  child=$(tr -d ' ' <"/proc/$sweep_pid/task/$sweep_pid/children")
  wait_until 1200 setting_is_not "$before"
}

# The status of the sweep that was begun.
sweep_end() {
  wait "$sweep_pid"
  status=$?
  sweep_pid=
  return $status
}

# status_is WANTED COMMAND...
status_is() {
  want=$1
  shift
  "$@"
  got=$?
  [ $got -eq "$want" ] && return 0
  echo "# status $got, not $want"
  [ ! -s "$run.err" ] || show "$run.err"
  return 1
}

# The plan may come last.
done_testing() {
  plan "$tap_n"
}
