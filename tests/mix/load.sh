#!/bin/sh
# ramknee load and drop against the sandbox: what a user sees, and what is in the database afterwards.
# shellcheck disable=SC1091,SC2154  # the library, and what make sets
. "$top_srcdir/tests/lib/sandbox.sh"

plan 45
sandbox_start load || exit 99
host=127.0.0.1:$sandbox_port
err=$sandbox_home/err

# run COMMAND...: status in $rc, stdout in $out, stderr in $err.
run() {
  rc=0
  out=$("$@" 2>"$err" </dev/null) || rc=$?
}
counts() {
  for t in item warehouse district customer history stock orders order_line new_order; do
    printf '%s ' "$(echo "SELECT COUNT(*) FROM dbo.$t
go" | sandbox_sql load "$1" | grep -xE '[0-9]+')"
  done
}
# What is in a table, in the order of its key: equal loads give equal sums.
content() {
  for q in 'SELECT SUM(c_id * c_w_id), SUM(c_discount), MIN(c_data), MAX(c_first) FROM dbo.customer' \
    'SELECT SUM(s_quantity * s_i_id), MIN(s_data), MAX(s_dist) FROM dbo.stock' \
    'SELECT SUM(ol_i_id * ol_number), SUM(ol_amount), MIN(ol_dist_info), MAX(ol_delivery_d) FROM dbo.order_line' \
    'SELECT SUM(o_c_id * o_id), SUM(o_ol_cnt * o_id), MIN(o_entry_d) FROM dbo.orders'; do
    printf '%s\ngo\n' "$q" | sandbox_sql load "$1" | grep -vE 'affected|^Setting|^locale'
  done
}

# Refused before anything is done.
run ramknee load -S sandbox:load --yes
is 'without a size: status 1' "$rc" 1
like 'and the remedy' "$(cat "$err")" '--size 200G'
run ramknee load -S sandbox:load --size 1G --yes
is 'a size below one warehouse: status 1' "$rc" 1
run ramknee load -S sandbox:load --size 8X --yes
is 'a size that is none: status 1' "$rc" 1
run ramknee load -S sandbox:load --size 20G --scale 4 --density 0.1 --yes
is 'size, scale and density at once: status 1' "$rc" 1
run ramknee load -S sandbox:load --size 20G --density 0.01 --yes
like 'a density that the mix does not take' "$(cat "$err")" 'takes 0.02 to 1'
run ramknee load -S sandbox:load --size 20G -d master --yes
like 'a system database is refused' "$(cat "$err")" "system database"
run ramknee load -S sandbox:load --size 20G
is 'nobody to ask and no --yes: status 1' "$rc" 1
like 'nothing was changed' "$(cat "$err")" 'nothing was changed'
is 'and nothing was' "$(echo "SELECT name FROM sys.databases WHERE name = 'ramknee_orders'
go" | sandbox_sql load | grep -c ramknee_orders)" 0

# A small load, by three streams.
run ramknee load -S sandbox:load --scale 5 --density 0.02 --streams 3 --seed 7 --yes
is 'a load ends with status 0' "$rc" 0
like 'it says what was loaded' "$out" 'warehouses	5'
is 'the row counts are the specified ones' "$(counts ramknee_orders)" '2000 5 50 3000 3000 10000 3000 29250 900 '
like 'the record is in the database' "$(echo 'SELECT mix, scale, density, seed, complete FROM dbo.ramknee_load
go' | sandbox_sql load ramknee_orders)" 'orders	5	0.02	7	1'
like 'its properties are, too' "$(echo "SELECT name FROM dbo.ramknee_property
go" | sandbox_sql load ramknee_orders)" isolation

run ramknee load -S "$host" --encrypt off -U sa --password-file /dev/null --scale 5 --density 0.02 --yes
is 'again without --replace: status 1' "$rc" 1
like 'and the remedy' "$(cat "$err")" '--replace'
is 'the data are still there' "$(counts ramknee_orders)" '2000 5 50 3000 3000 10000 3000 29250 900 '

# The same seed by another number of streams.
run ramknee load -S sandbox:load --scale 5 --density 0.02 --streams 1 --seed 7 -d other --yes
is 'another database, one stream' "$rc" 0
is 'the same data whatever the number of streams' "$(content other)" "$(content ramknee_orders)"

# What is not consistent is found.
conditions() { "$top_builddir/tests/mix/calls" "$host" other 1 0 1 2>/dev/null; }
for change in '1:UPDATE dbo.district SET d_ytd = d_ytd + 1 WHERE d_w_id = 1 AND d_id = 3:UPDATE dbo.district SET d_ytd = d_ytd - 1 WHERE d_w_id = 1 AND d_id = 3' \
  '2:UPDATE dbo.district SET d_next_o_id = d_next_o_id + 1 WHERE d_w_id = 2 AND d_id = 1:UPDATE dbo.district SET d_next_o_id = d_next_o_id - 1 WHERE d_w_id = 2 AND d_id = 1' \
  '3:UPDATE dbo.new_order SET no_o_id = 1 WHERE no_w_id = 3 AND no_d_id = 10 AND no_o_id = 50:UPDATE dbo.new_order SET no_o_id = 50 WHERE no_w_id = 3 AND no_d_id = 10 AND no_o_id = 1' \
  '4:UPDATE dbo.orders SET o_ol_cnt = o_ol_cnt + 1 WHERE o_w_id = 5 AND o_d_id = 5 AND o_id = 40:UPDATE dbo.orders SET o_ol_cnt = o_ol_cnt - 1 WHERE o_w_id = 5 AND o_d_id = 5 AND o_id = 40'; do
  number=${change%%:*} change=${change#*:}
  printf '%s\ngo\n' "${change%%:*}" | sandbox_sql load other >/dev/null
  like "a broken condition $number is found" "$(conditions)" "(condition $number) is broken 1 times"
  printf '%s\ngo\n' "${change#*:}" | sandbox_sql load other >/dev/null
done
like 'and nothing else' "$(conditions)" consistent

# Requests keep it consistent, and keep its size.
run "$top_builddir/tests/mix/calls" "$host" ramknee_orders 8 4000 3
sed 's/^/# /' "$err"
like 'eight users: no deadlock, consistent' "$out" 'deadlock 0 failed 0 lost 0 consistent'
is 'the stationary mix keeps its rows' "$(counts ramknee_orders | cut -d' ' -f1-7)" '2000 5 50 3000 3000 10000 3000'
run "$top_builddir/tests/mix/calls" "$host" other 8 2000 3 growing
like 'the growing one is consistent, too' "$out" 'deadlock 0 failed 0 lost 0 consistent'
is 'and grows' "$(echo 'SELECT CASE WHEN COUNT(*) > 3500 THEN 1 ELSE 0 END FROM dbo.orders
go' | sandbox_sql load other | grep -xE '[01]')" 1

# Broken off by a signal.
ramknee load -S sandbox:load --scale 200 --density 0.05 --streams 2 -d broken --yes >/dev/null 2>"$err" </dev/null &
pid=$!
rows() { [ "$(echo 'SELECT COUNT(*) FROM dbo.warehouse
go' | sandbox_sql load broken | grep -xE '[0-9]+')" -gt 0 ]; }
wait_until 1200 rows
kill -INT "$pid"
rc=0
wait "$pid" || rc=$?
is 'SIGINT in the middle of a load: status 2' "$rc" 2
like 'which says what is left' "$(cat "$err")" 'marked incomplete'
run "$top_builddir/tests/mix/calls" "$host" broken 1 1 1
like 'it is never measured' "$(cat "$err")" 'broken off'
run ramknee load -S sandbox:load --scale 3 --density 0.02 -d broken --yes
sed 's/^/# /' "$err"
is 'the next load does it again, without --replace' "$rc" 0
is 'and it is whole' "$(counts broken)" '2000 3 30 1800 1800 6000 1800 17550 540 '

# Others' databases.
echo 'CREATE DATABASE mine
go
USE mine
go
CREATE TABLE dbo.warehouse (w_id int)
go' | sandbox_sql load >/dev/null
run ramknee load -S sandbox:load --scale 1 --density 0.02 -d mine --replace --yes
like 'a database that load did not make is left alone' "$(cat "$err")" "was not made by 'ramknee load'"
run ramknee drop -S sandbox:load -d mine --yes
is 'and is not dropped' "$rc" 1
run ramknee drop -S sandbox:load -d other
is 'drop asks first' "$rc" 1
run ramknee drop -S sandbox:load -d other --yes
is 'drop removes what load made' "$rc" 0
like 'and calls the server by its name' "$(cat "$err")" 'on SANDBOX-LOAD'
is 'and only that' "$(echo 'SELECT name FROM sys.databases
go' | sandbox_sql load | grep -xE 'ramknee_orders|other|mine|broken' | sort | tr '\n' ' ')" 'broken mine ramknee_orders '

# What a load leaves that was killed before it could mark its database.
echo 'CREATE DATABASE killed
go' | sandbox_sql load >/dev/null
run ramknee load -S sandbox:load --scale 1 --density 0.02 -d killed --yes
like 'an empty database is not loaded into, but there is a way' "$(cat "$err")" "'ramknee drop --empty'"
run ramknee drop -S sandbox:load -d killed --yes
like 'and not dropped unasked' "$(cat "$err")" 'say --empty'
run ramknee drop -S sandbox:load -d mine --empty --yes
like 'one with a table in it is not empty' "$(cat "$err")" 'left alone'
run ramknee drop -S sandbox:load -d killed --empty
like 'it is shown before it is dropped' "$(cat "$err")" "'killed' on SANDBOX-LOAD: it is empty"
run ramknee drop -S sandbox:load -d killed --empty --yes
is 'and dropped' "$rc $(echo "SELECT name FROM sys.databases WHERE name = 'killed' OR name = 'mine'
go" | sandbox_sql load | grep -xE 'killed|mine')" '0 mine'
