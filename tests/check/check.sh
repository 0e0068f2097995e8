#!/bin/sh
# `ramknee check` against sandboxes of several personas: what a user sees, the exit status, and that nothing is changed.
# shellcheck disable=SC1091,SC2154  # the library and what it and make set
. "$top_srcdir/tests/lib/sandbox.sh"
plan 21

out=$sandbox_home/out
err=$sandbox_home/err
password=$sandbox_home/password
echo x >"$password" # what sandbox_sql says, too
# Run it; the status is in $status, the output in $out and $err.
check() {
  timeout 300 ramknee check "$@" >"$out" 2>"$err"
  status=$?
}
severity() { awk -v code="$1" '$2 == code && $1 != "->" {print $1}' "$out"; }

check
is 'without a server: status 1' "$status" 1
like 'a remedy is given' "$(cat "$err")" '-S HOST'
check -S sandbox:none
is 'no such sandbox: status 1' "$status" 1
like 'it is named' "$(cat "$err")" "no sandbox named 'none' is running"
check -S sandbox:none --steps 8X
like 'a bad size is quoted' "$(cat "$err")" "'8X'"

sandbox_start plain --password-file "$password" || exit 1
setting() { echo "EXEC sp_configure 'max server memory (MB)'" | sandbox_sql plain; }
before=$(setting)
check -S sandbox:plain --password-file "$password"
is 'no database yet: status 1' "$status" 1
is 'the database is what refuses it' "$(awk '$1 == "refusal" {print $2}' "$out")" database
like 'the present setting is told' "$(cat "$out")" "'max server memory' is without a limit"
printf '\357\273\277%s\r\n' "$(cat "$password")" >"$password.marked"
ramknee check -S sandbox:plain -U sa --password-file "$password.marked" --for look >/dev/null 2>&1
is "a password file as Windows writes it, with a mark and CR LF" $? 0
check -S sandbox:plain --password-file "$password" --for load
is 'for a load that is no obstacle: status 0' "$status" 0
check -S sandbox:plain --password-file "$password" -d master
is 'a database that was not loaded is refused' "$(severity load)" refusal
check -S sandbox:plain --password-file "$password" --steps 512G,64G
is 'a named step above the memory of the machine is refused' "$(severity memory)" refusal
check -S sandbox:plain --password-file "$password" --format json
like 'as JSON' "$(cat "$out")" '"refusals": 1'
is 'nothing on the server was changed' "$(setting)" "$before"

check -S "127.0.0.1:$sandbox_port" -U sa --password-file "$password"
is 'without encryption a server by its address is refused: status 1' "$status" 1
like 'the way out is named' "$(cat "$err")" '--encrypt=off'
echo 'a wrong word' >"$sandbox_home/wrong"
check -S sandbox:plain -U sa --password-file "$sandbox_home/wrong"
is 'a wrong password: status 1' "$status" 1
like 'number and login are named' "$(cat "$err")" "as 'sa': the log-in was refused (message 18456"
is 'the password is not' "$(cat "$out" "$err" | grep -c 'a wrong word')" 0
sandbox_stop plain

sandbox_start poor --persona no-permission || exit 1
check -S sandbox:poor
is 'without the right to set: refused' "$(severity rights-set)" refusal
sandbox_stop poor

sandbox_start cloud --persona azure || exit 1
check -S sandbox:cloud
is 'a service without a setting: refused' "$(severity service)" refusal
sandbox_stop cloud
