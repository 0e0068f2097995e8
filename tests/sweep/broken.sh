#!/bin/sh
# What is broken around a sweep: its journal is lost or spoilt, it has no standard streams.
# shellcheck source=lib.sh
. "$top_srcdir/tests/sweep/lib.sh"
prepare
journal=$XDG_STATE_HOME/ramknee/journal

# The second step has been measured: no other journal will be written.  The sandbox holds the last look at its waits until we let go.
begin() {
  echo "before 3" >"$sandbox_folder/hold-server-waits"
  sweep_begin "$1" --steps 16G,12G --measure 5s --query-timeout 300s && wait_until 1200 test -e "$sandbox_folder/held-server-waits"
}
let_go() {
  rm -f "$sandbox_folder/held-server-waits"
}
back() {
  ok "$1: the setting is back" setting_is "$before"
  ok "$1: no journal is left" no_journal
}

# A name that needs every kind of quoting.
odd="a]b'c;d \`e"
ok "a database with an odd name is loaded" ramknee load -S sandbox -d "$odd" --size 5G --yes
ok "and is known again, and dropped" ramknee drop -S sandbox -d "$odd" --yes

ok "journal removed: a step is at work" begin removed
ok "a load is refused while a sweep is at work" status_is 1 ramknee load -S sandbox -d second --size 5G --yes
ok "dropping what it measures is refused, too" status_is 1 ramknee drop -S sandbox --yes
rm -r "$journal"
let_go
ok "journal removed: status 0" status_is 0 sweep_end
ok "journal removed: it is said" grep -q "has been removed meanwhile" "$here/removed.err"
back "journal removed"

ok "journal spoilt: a step is at work" begin spoilt
for f in "$journal"/*; do echo '{"ramknee' >"$f"; done
let_go
ok "journal spoilt: status 0" status_is 0 sweep_end
back "journal spoilt"

ok "spoilt and both killed: a step is at work" begin both
kill -STOP "$child"
kill -KILL "$sweep_pid" "$child"
wait "$sweep_pid" 2>/dev/null
sweep_pid=
wait_until 1200 ended "$child"
for f in "$journal"/*; do : >"$f"; done
ok "spoilt and both killed: another sweep is refused" status_is 1 sweep_now refused --yes
ok "spoilt and both killed: restore finds the record on the server" ramknee restore -S sandbox
back "spoilt and both killed"

# Closed descriptors must not be taken by a connection: what is said would go to the server.
run=$here/closed
# shellcheck disable=SC2086
ramknee sweep -S sandbox $small --steps 16G,8G --measure 2s --run "$run" --yes <&- >&- 2>&-
ok "no standard streams: status 2, for the table that nobody got" test $? -eq 2
ok "no standard streams: every step was measured" test -d "$run/steps/02-8G"
ok "no standard streams: the setting goes back" grep -q '"put_back": true' "$run/end.json"
back "no standard streams"
done_testing
