#!/bin/sh
# The sandbox as a process: start, several at once, settings and their rules, deaths of either side.
. "${srcdir:-.}/tests/lib/sandbox.sh"

plan 44

engine_of() { sed 's/ .*//' "$XDG_STATE_HOME/ramknee/sandbox/$1/engine.pid"; }
gone() { ! kill -0 "$1" 2>/dev/null; }
total_kb() {
  printf "select cntr_value as v from sys.dm_os_performance_counters where counter_name = 'Total Server Memory (KB)'\ngo\n" |
    sandbox_value "$1"
}

# ---- folders that are no good ----
if mkdir -p /dev/shm/ramknee-test-$$ 2>/dev/null && [ "$(stat -f -c %T /dev/shm)" = tmpfs ]; then
  ramknee-sandbox --folder /dev/shm/ramknee-test-$$ >/dev/null 2>"$sandbox_home/err"
  is 'a RAM disk is refused with status 1' $? 1
  like '... and a sentence' "$(cat "$sandbox_home/err")" 'do not reach a device'
  rm -rf /dev/shm/ramknee-test-$$
else
  skip 'a RAM disk is refused with status 1' 'no tmpfs at /dev/shm'
  skip '... and a sentence' 'no tmpfs at /dev/shm'
fi
: >"$sandbox_home/file"
ramknee-sandbox --folder "$sandbox_home/file/below" >/dev/null 2>"$sandbox_home/err"
is 'a folder below a file is refused' $? 1
like '... and named' "$(cat "$sandbox_home/err")" "$sandbox_home/file"

# ---- an engine that fails without a word ----
# Its help is the real one's, but making the system tables ends as the file says.
mkdir "$sandbox_home/bin"
real=$(PATH=$PATH:/usr/sbin:/usr/local/sbin:/usr/libexec command -v mariadbd)
cat >"$sandbox_home/bin/mariadbd" <<END
#!/bin/sh
case "\$*" in
*--help*) exec "$real" "\$@" ;;
esac
. "$sandbox_home/how"
END
chmod +x "$sandbox_home/bin/mariadbd"
dumb() {
  echo "$1" >"$sandbox_home/how"
  rc=0
  PATH=$sandbox_home/bin:$PATH ramknee-sandbox --name dumb >/dev/null 2>"$sandbox_home/err" || rc=$?
}
dumb 'exit 7'
is 'an engine that cannot make its tables: status 1' "$rc" 1
like '... says how it ended, when it says nothing itself' "$(cat "$sandbox_home/err")" 'mariadbd ended with status 7, without a word'
dumb 'kill -KILL $$'
like '... by a signal, too' "$(cat "$sandbox_home/err")" 'was ended by signal 9'
dumb 'echo "2026-01-01 [ERROR] InnoDB: no luck"; exit 1'
like '... and its own words otherwise' "$(cat "$sandbox_home/err")" 'InnoDB: no luck'

# ---- start ----
ok 'a sandbox starts' sandbox_start one
is 'its endpoint is written' "$(cat "$sandbox_folder/endpoint")" "127.0.0.1:$sandbox_port"
like '@@VERSION says what it is' "$(printf 'select @@version\ngo\n' | sandbox_sql one)" 'not a Microsoft SQL Server'
ok 'another starts beside it' sandbox_start two --physical 64G
ramknee-sandbox --name one >/dev/null 2>"$sandbox_home/err"
is 'a second one of the same name is refused' $? 1
like '... with a sentence' "$(cat "$sandbox_home/err")" 'another sandbox is running'
like 'each has a name of its own' "$(printf 'select @@servername\ngo\n' | sandbox_sql two)" 'SANDBOX-TWO'
is 'without a limit it takes seven eighths of its memory' "$(total_kb two)" $((56 * 1024 * 1024))
ok 'it stops in order' sandbox_stop two
ok '... and takes its endpoint away' test ! -e "$XDG_STATE_HOME/ramknee/sandbox/two/endpoint"

# ---- sp_configure ----
sql() { sandbox_sql one; }
like 'an advanced option is hidden at first' "$(printf "exec sp_configure 'max server memory (MB)', 8192\ngo\n" | sql)" 'Msg 15123'
like 'a change is told' "$(printf "exec sp_configure 'show advanced options', 1\ngo\n" | sql)" \
  "Configuration option 'show advanced options' changed from 0 to 1. Run the RECONFIGURE statement to install."
like 'it is not in force before RECONFIGURE' "$(printf "sp_configure 'max server memory'\ngo\n" | sql)" 'Msg 15123'
like '... and is afterwards' "$(printf "reconfigure\ngo\nsp_configure 'max server memory'\ngo\n" | sql | tr '\t' ' ')" \
  'max server memory (MB) 128 2147483647 2147483647 2147483647'
like 'below 128 MB is refused' "$(printf "sp_configure 'max server memory', 127\ngo\n" | sql)" 'Msg 15129'
like 'an ambiguous name is refused' "$(printf "sp_configure 'max', 1\ngo\n" | sql)" 'Msg 15124'
like 'an unknown name is refused' "$(printf "sp_configure 'nix', 1\ngo\n" | sql)" 'Msg 15123'
printf "sp_configure 'max server memory', 16384\ngo\n" | sql >"$sandbox_home/out"
is 'the value is stored, not in use' "$(printf "select value * 10000000000 + value_in_use as v from sys.configurations where configuration_id = 1544\ngo\n" | sandbox_value one)" \
  163842147483647
like 'RECONFIGURE is refused in a transaction' "$(printf "begin tran\nreconfigure\ngo\n" | sql)" 'Msg 574'
like 'a minimum above the maximum is refused' \
  "$(printf "exec sp_configure 'min server memory', 32768\nreconfigure\ngo\n" | sql)" \
  'Minimum server memory value (32768) must be less than or equal to the maximum value (16384).'
is '... and nothing of it is installed' "$(total_kb one)" $((224 * 1024 * 1024))
printf "exec sp_configure 'min server memory', 0\nexec sp_configure 'max server memory', 16384\nreconfigure\ngo\n" | sql >"$sandbox_home/out"
is 'RECONFIGURE returns when the memory is given back' "$(total_kb one)" $((16 * 1024 * 1024))
printf "exec sp_configure 'allow updates', 1\nreconfigure\ngo\n" | sql >"$sandbox_home/out"
like 'ad hoc updates want WITH OVERRIDE' "$(cat "$sandbox_home/out")" 'Msg 5808'
printf "exec sp_configure 'allow updates', 0\nreconfigure with override\nexec sp_configure 'max server memory', 8192\ngo\n" | sql >"$sandbox_home/out"

# ---- databases, and what is kept over a restart ----
printf "create database kept\ngo\ncreate table kept.dbo.t (a int not null primary key, b varchar(10))\ninsert kept.dbo.t values (1, 'x')\ngo\n" |
  sql >"$sandbox_home/out"
like 'a database in use is not dropped' "$(printf 'drop database kept\ngo\n' | sandbox_sql one kept)" 'Msg 3702'
like 'there is only one of a name' "$(printf 'create database KEPT\ngo\n' | sql)" 'Msg 1801'
sandbox_stop one
ok 'it starts again' sandbox_start one
is 'a stored value runs after a restart' "$(total_kb one)" $((8 * 1024 * 1024))
is 'rows are kept' "$(printf 'select count(*) as v from kept.dbo.t\ngo\n' | sandbox_value one)" 1

# ---- deaths ----
engine=$(engine_of one)
kill -KILL "$sandbox_pid"
wait "$sandbox_pid" 2>/dev/null
ok 'kill -9 of the sandbox leaves no engine' wait_until 600 gone "$engine"
ok '... and it starts again' sandbox_start one
is '... with its rows' "$(printf 'select count(*) as v from kept.dbo.t\ngo\n' | sandbox_value one)" 1

engine=$(engine_of one)
# A statement that is at work when the engine dies, and one that is sent afterwards.
printf "exec rk_delay 60000000\ngo\nselect count(*) from kept.dbo.t\ngo\n" | sql >"$sandbox_home/answer" &
asking=$!
at_work() { [ "$(printf 'select count(*) as v from sys.dm_exec_sessions where is_user_process = 1\ngo\n' | sandbox_value one)" = 2 ]; }
wait_until 1200 at_work
kill -KILL "$engine"
wait "$asking"
answer=$(cat "$sandbox_home/answer")
case $answer in
*'Msg 596'* | *20006* | *20017* | *20004* | *'Write to the server failed'* | *'Unexpected EOF'*) said=1 ;;
*) said=0 ;;
esac
is 'kill -9 of the engine gives clients an error' "$said" 1
wait "$sandbox_pid"
is '... and ends the sandbox with status 2' $? 2
like '... and a sentence' "$(cat "$sandbox_home/one.err")" 'storage engine was ended by signal 9'
ok '... and no endpoint is left' test ! -e "$sandbox_folder/endpoint"
ok 'it starts again after that' sandbox_start one
