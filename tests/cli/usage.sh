#!/bin/sh
# What a person meets first: help, versions, wrong words.
. "${srcdir:-.}/tests/lib/sandbox.sh"
out=$sandbox_home/out err=$sandbox_home/err
said() { # STATUS DESCRIPTION: the last command's status as a test, with what was printed when it failed
  if [ "$1" -eq 0 ]; then tap_line ok "$2"; else tap_line 'not ok' "$2"; sed 's/^/# /' "$out" "$err" | head -n 20; fi
}
run() { # STATUS ARGUMENTS...: run ramknee, look at its exit status
  want=$1
  shift
  ramknee "$@" >"$out" 2>"$err" </dev/null
  [ $? -eq "$want" ]
}

run 0 --help && grep -q '^Usage: ramknee COMMAND' "$out"
said $? "--help names the commands on stdout"
run 0 --version && grep -q '^ramknee [0-9]' "$out"
said $? "--version"
run 1 && grep -q '^Usage:' "$err" && [ ! -s "$out" ]
said $? "without a command: usage on stderr, status 1"
run 1 frobnicate && grep -q "no command 'frobnicate'" "$err"
said $? "an unknown command is named, status 1"

commands=$(ramknee --help | awk '/^  [a-z]/ {print $1}')
for c in $commands; do
  run 0 "$c" --help && grep -q "^Usage: ramknee $c" "$out"
  said $? "$c --help"
  run 1 "$c" --no-such-option && grep -q 'no-such-option' "$err"
  said $? "$c with an unknown option: status 1, named"
done

for c in check load sweep measure restore drop; do
  run 1 "$c" && grep -q -- '-S' "$err"
  said $? "$c without a server says to name one"
  run 1 "$c" -S 127.0.0.1:1 -U sa --encrypt=off --password-file /dev/null && [ -s "$err" ]
  said $? "$c with no such server: status 1"
done

run 1 check -S sandbox:not-there && grep -q "ramknee sandbox" "$err"
said $? "a sandbox that is not running: what to type"
run 1 check -S 'sandbox:../x'
said $? "a sandbox's name is no path"
run 1 check -S 127.0.0.1:1 -U sa && grep -q 'RAMKNEE_PASSWORD' "$err"
said $? "no password and no terminal: what to set"
for s in 8X -1G 0G 128 ''; do
  run 1 sweep -S sandbox:not-there --steps="$s" && grep -q 'G' "$err"
  said $? "sweep --steps='$s': status 1 and a sentence"
done
refuse() { # WORDS OPTION...: of sweep
  words=$1
  shift
  run 1 sweep -S sandbox:not-there "$@" && grep -q -- "$words" "$err"
  said $? "sweep $*: status 1 and a sentence"
}
refuse "belongs to --refine" --budget 1m
refuse "not a duration" --refine --budget 10
refuse "at least 1s" --refine --budget 0
refuse "fixes the time" --measure 5s --precision 3%
refuse "fixes the time" --measure 5s --measure-max 10s
for n in 0 21 -1 x ''; do
  refuse "whole number from 1 to 20" "--passes=$n"
done
refuse "precision" --precision 0
refuse "precision" --precision tight
refuse "at least 1s" --measure-max 10ms
for o in --slo=p95 --slo=p95=5 --slo=p97=5ms --tolerance=60% --tolerance=x; do
  run 1 sweep -S sandbox:not-there "$o" && grep -q 'Try' "$err"
  said $? "sweep $o: status 1 and a sentence"
done
run 1 measure -S sandbox:not-there --no-load && grep -q -- '--for' "$err"
said $? "measure --no-load asks for how long"
run 1 measure -S sandbox:not-there --for 8h && grep -q -- '--no-load' "$err"
said $? "measure --for belongs to --no-load"
run 1 measure -S sandbox:not-there --no-load --for 0s && grep -q 'at least 1s' "$err"
said $? "measure --for of no time"
run 1 measure -S sandbox:not-there --no-load --for 400h && grep -q '168h' "$err"
said $? "measure --for of more than a week"
run 1 measure -S sandbox:not-there --no-load --for 8h --users 8 && grep -q -- '--users makes no sense' "$err"
said $? "measure --no-load sends nothing, so it takes no demand"
run 1 measure -S sandbox:not-there --like x --rate 5 && grep -q -- '--like or --rate' "$err"
said $? "measure: the demand comes from one place"
run 1 measure -S sandbox:not-there --memory 8X && grep -q '8X' "$err"
said $? "measure --memory is a size"
run 1 measure -S sandbox:not-there --think 5ms --rate 5 && grep -q -- '--think or --rate' "$err"
said $? "measure: users think or arrive"
run 1 check -S sandbox:not-there -d '' && grep -q 'database is empty' "$err"
said $? "an empty name of a database: status 1 and a sentence"
run 0 sql && grep -qx 'server/set' "$out"
said $? "sql lists the statements"
run 0 sql server/set && head -n 1 "$out" | grep -qx '/\* ramknee:server/set \*/'
said $? "sql NAME prints it as it is sent"
run 0 sql grant && grep -q 'GRANT ALTER SETTINGS' "$out" && grep -q 'xp_cmdshell' "$out"
said $? "sql grant: what a login needs, and what the right lets it do besides"
run 0 sql signed && grep -q 'CREATE PROCEDURE dbo.ramknee_set_memory' "$out"
said $? "sql signed: the narrower way"
run 0 sql dead-man && grep -q 'sp_add_jobschedule' "$out" && grep -q 'ramknee:server/dead_man \*/' "$out" && grep -q 'sp_delete_job' "$out"
said $? "sql dead-man: the job that sweep --dead-man makes, whole"
run 0 sql grant && grep -q 'SQLAgentUserRole' "$out"
said $? "sql grant: the role that it needs"
run 1 sweep -S sandbox --dead-man-after 5m && grep -q 'belongs to --dead-man' "$err"
said $? "sweep --dead-man-after without --dead-man"
run 1 drop -S sandbox:not-there --empty --yes -d Master && grep -q 'a database of the server itself' "$err"
said $? "drop: never a database of the server itself"
printf 'memory_GB\tp95_ms\n8\t9\n16\t5\n32\t4\n' >"$sandbox_home/t.tsv"
empty() { # THING COMMAND...: an empty name, of a variable that a script has not set
  thing=$1
  shift
  run 1 "$@" && grep -q "name of the $thing is empty" "$err"
  said $? "$1 without the name of a $thing: status 1 and a sentence"
}
empty login check -S sandbox:not-there -U ''
empty file check -S sandbox:not-there --password-file ''
empty file check -S sandbox:not-there --ca-file ''
empty folder demo --run ''
empty folder report ''
empty folder report a b --to ''
empty journal restore ''
empty table analyze ''
mkdir "$sandbox_home/full" && : >"$sandbox_home/full/x"
vain() { # WORDS OPTION...: of the demo, judged before its sandbox is started
  words=$1
  shift
  run 1 demo "$@" && grep -qF -- "$words" "$err" && ! grep -q 'running' "$err" && [ ! -e "$XDG_STATE_HOME" ]
  said $? "demo $(echo "$*" | sed "s|$sandbox_home/||g"): status 1 and a sentence, and nothing was started"
}
vain "not a duration" -- --think 5
vain "--think or --rate" -- --think 5ms --rate 5
vain "one word too many" 8G
vain "more than the 256 GB" -- --steps 512G,8G
vain "below the least" -- --from 8G --to 2G
vain "no run.json" -- --like "$sandbox_home/full"
vain "-S cannot be given" -- -S sandbox
vain "--resume cannot be given" -- --resume "$sandbox_home/full"
vain "give --run before the --" -- --run x
vain "is not empty" --run "$sandbox_home/full"
vain "Not a directory" --run "$sandbox_home/full/x/y"
run 0 demo -- --help && grep -q '^Usage: ramknee sweep' "$out"
said $? "demo -- --help: that of sweep"
run 1 check -S 127.0.0.1:1 --password-file /dev/null && grep -q 'belongs to a login' "$err"
said $? "a password of nobody is refused"
run 1 check -S 127.0.0.1:1 -U sa --password-file /dev/null --ca-file /dev/null --encrypt=off && grep -q 'not encrypted' "$err"
said $? "a certificate is not checked without encryption: refused"
run 1 analyze "$sandbox_home/t.tsv" --no-pictures && grep -q 'belongs to --to' "$err"
said $? "analyze --no-pictures belongs to --to"
run 1 analyze "$sandbox_home/t.tsv" --to '' && grep -q 'name of the folder is empty' "$err"
said $? "analyze: into no folder"
(
  ulimit -f 1
  ramknee analyze "$sandbox_home/t.tsv" --to "$sandbox_home/limited" --no-pictures >/dev/null 2>"$sandbox_home/limited.err"
)
[ $? -eq 1 ] && grep -q 'File too large' "$sandbox_home/limited.err"
said $? "a limit on file sizes is told, and kills nobody"
run 1 sweep -S sandbox:not-there -- --yes && grep -q 'one word too many' "$err"
said $? "sweep: nothing behind a lone --"
run 1 sql no/such
said $? "sql with an unknown name"
if [ -w /dev/full ]; then
  for c in 'sql server/set' '--version' 'sweep --help' 'sandbox --help' 'sandbox --persona list'; do
    # shellcheck disable=SC2086
    ramknee $c >/dev/full 2>"$err"
    [ $? -eq 2 ] && grep -q 'No space' "$err"
    said $? "$c: results that cannot be written: status 2"
  done
else
  skip "results that cannot be written" "no /dev/full"
fi
{
  ramknee sql 2>"$err"
  echo $? >"$out"
} | sed -n '1q' # gone before or after all was written
! grep -q . "$err" && grep -qx '[02]' "$out"
said $? "a reader that has had enough: not a word"
RAMKNEE_PASSWORD=Secret-7 ramknee check -S 127.0.0.1:1 -U sa --encrypt=off >"$out" 2>"$err"
! grep -q 'Secret-7' "$out" "$err"
said $? "the password is in no message"
plan "$tap_n"
