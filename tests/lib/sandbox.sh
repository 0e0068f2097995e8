# Shell functions for tests that need a sandbox.  Source it first: it makes a state folder of the test's own (XDG_STATE_HOME) on a disk,
# and stops what was started and removes it when the test ends.
#
#   sandbox_start NAME [OPTION...]   start a sandbox, wait until it answers; sets sandbox_pid, sandbox_port, sandbox_folder
#   sandbox_stop NAME                ask it to end and wait; returns its exit status
#   sandbox_pid_of NAME, sandbox_port_of NAME
#   wait_until TENTHS COMMAND...     wait for a state, never for a time;   ended PID
#   sandbox_sql NAME [DATABASE]      run a script from the standard input with tsql
#   sandbox_value NAME [DATABASE]    the value, named v, of such a query
#   plan N; ok DESCRIPTION COMMAND...; is DESCRIPTION GOT WANTED; like DESCRIPTION GOT PART; skip DESCRIPTION WHY     TAP
# shellcheck shell=sh

sandbox_home=$(mktemp -d "${RK_TEST_TMP:-/var/tmp}/ramknee-test-XXXXXX") || exit 99
XDG_STATE_HOME=$sandbox_home/state
export XDG_STATE_HOME
sandbox_names=

sandbox_cleanup() {
  for sandbox_n in $sandbox_names; do
    sandbox_stop "$sandbox_n" >/dev/null 2>&1
  done
  rm -rf "$sandbox_home"
}
trap sandbox_cleanup EXIT
trap 'exit 1' HUP INT TERM

sandbox_pid_of() { cat "$sandbox_home/$1.pid"; }
sandbox_port_of() { sed 's/.*://' "$XDG_STATE_HOME/ramknee/sandbox/$1/endpoint"; }

# Wait until a command succeeds, up to some $1 tenths of a second: a limit against hanging, so make it generous: what is waited for costs no more
# time than it takes.
wait_until() {
  wait_n=$1
  shift
  while ! "$@" >/dev/null 2>&1; do
    wait_n=$((wait_n - 1))
    [ "$wait_n" -gt 0 ] || return 1
    sleep 0.1
  done
}

# True when a process has ended, though nobody may have asked for its status yet.
ended() {
  case $(sed -n 's/^State:[[:space:]]*//p' "/proc/$1/status" 2>/dev/null) in
  '' | [ZX]*) return 0 ;;
  *) return 1 ;;
  esac
}

sandbox_start() {
  sandbox_n=$1
  shift
  rm -f "$sandbox_home/$sandbox_n.out" # of the one before it: its last words would pass for this one's
  ramknee-sandbox --name "$sandbox_n" "$@" >"$sandbox_home/$sandbox_n.out" 2>"$sandbox_home/$sandbox_n.err" &
  sandbox_pid=$!
  echo "$sandbox_pid" >"$sandbox_home/$sandbox_n.pid"
  while ! grep -q '^listening on' "$sandbox_home/$sandbox_n.out" 2>/dev/null; do
    if ! kill -0 "$sandbox_pid" 2>/dev/null; then
      sed 's/^/# /' "$sandbox_home/$sandbox_n.err"
      return 1
    fi
    sleep 0.1
  done
  sandbox_names="$sandbox_names $sandbox_n"
  # shellcheck disable=SC2034  # for the tests
  sandbox_port=$(sed -n 's/^listening on 127.0.0.1:\([0-9]*\),.*/\1/p' "$sandbox_home/$sandbox_n.out")
  # shellcheck disable=SC2034
  sandbox_folder=$(sed -n 's/^listening on [^ ]*, folder //p' "$sandbox_home/$sandbox_n.out")
}

sandbox_stop() {
  kill "$(sandbox_pid_of "$1")" 2>/dev/null
  wait "$(sandbox_pid_of "$1")"
}

# tsql prints prompts ("1> "), its locale and a default charset: taken off.
sandbox_sql() {
  TDSVER=7.4 timeout 300 tsql -H 127.0.0.1 -p "$(sandbox_port_of "$1")" -U sa -P x ${2:+-D "$2"} 2>&1 |
    sed -e 's/^\([0-9]*> \)*//' -e '/^locale/d' -e '/^using default/d' -e '/^Default database/d'
}

# The value of a query that gives one, named v.
sandbox_value() { sandbox_sql "$@" | sed -n "/^v$/{n;p;}"; }

tap_n=0
plan() { echo "1..$1"; }
tap_line() {
  tap_n=$((tap_n + 1))
  echo "$1 $tap_n - $2"
}
ok() {
  tap_what=$1
  shift
  if "$@"; then tap_line ok "$tap_what"; else tap_line 'not ok' "$tap_what"; fi
}
is() {
  if [ "$2" = "$3" ]; then
    tap_line ok "$1"
  else
    tap_line 'not ok' "$1"
    printf '%s\n' "got:" "$2" "wanted:" "$3" | sed 's/^/# /'
  fi
}
like() {
  case $2 in
  *"$3"*) tap_line ok "$1" ;;
  *)
    tap_line 'not ok' "$1"
    printf '%s\n' "got:" "$2" "wanted in it:" "$3" | sed 's/^/# /'
    ;;
  esac
}
skip() { tap_line ok "$1 # SKIP $2"; }
