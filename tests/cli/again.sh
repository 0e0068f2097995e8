#!/bin/sh
# sweep --like and --resume as far as they come without a server: which options go together, what a run.json may hold, which folders are runs.
. "${srcdir:-.}/tests/lib/sandbox.sh"
out=$sandbox_home/out err=$sandbox_home/err

# said WORDS COMMAND...: status 1 and the words; what is right goes on to the server, which is not there.
said() {
  words=$1
  shift
  ramknee "$@" >"$out" 2>"$err" </dev/null
  status=$?
  what="$(echo "$*" | sed "s|$sandbox_home/||g"): $words"
  if [ $status -eq 1 ] && grep -qF -- "$words" "$err"; then
    tap_line ok "$what"
  else
    tap_line 'not ok' "$what"
    echo "# status $status"
    sed 's/^/# /' "$err"
  fi
}
none="no sandbox named 'not-there' is running"

# run_json NAME [MEMBER VALUE]...: the folder of a sweep that was broken off, with members of its options replaced.
run_json() {
  folder=$sandbox_home/$1
  shift
  mkdir -p "$folder"
  awk -v set="$*" -v think="${think:-0.01}" 'BEGIN {
    n = split("server \"sandbox:not-there\" user null database \"d\" encrypt null ca_file null steps_mib [16384,8192] settle_max_s 30 warm_s 8 " \
      "warm_max_s 8 measure_s 20 burn_in_s 10 put_back_max_s null set_with_max_s 600 measure_max_s null budget_s null dead_man_s 0 floor_mib null " \
      "precision null refine 0 drift 1 stationary 1 steps_named 1 stop_above [] set_with null like null", o, " ")
    m = split(set, s, " ")
    for (i = 1; i < m; i += 2)
      for (k = 1; k < n; k += 2)
        if (o[k] == s[i]) o[k + 1] = s[i + 1]
    printf "{\"schema\": 1, \"types\": [\"a\"], \"plan\": {\"steps_mib\": [16384, 8192]}, \"options\": {"
    for (k = 1; k < n; k += 2) printf "%s\"%s\": %s", (k > 1 ? ", " : ""), o[k], o[k + 1]
    printf "}, \"demand\": {\"users\": 8, \"think_s\": %s, \"rate\": 0, \"seed\": 1}}\n", think
  }' >"$folder/run.json"
}
like() { # WORDS RUN OPTION...
  words=$1 run=$sandbox_home/$2
  shift 2
  said "$words" sweep --like "$run" --dry-run "$@"
}

run_json plain
run_json refined refine 1 budget_s 600
run_json guarded dead_man_s 600
run_json commanded set_with '"true"'
think=null run_json unprobed
like "$none" plain
said "$none" sweep --resume "$sandbox_home/plain" --dry-run

# What only makes sense with another option, which RUN may bring.
like "belongs to --refine" plain --budget 5m
like "$none" refined --budget 5m
like "refine for 5 min at most" refined --budget 5m
like "refine for 10 min at most" refined
like "belongs to --dead-man" plain --dead-man-after 5m
like "$none" guarded --dead-man-after 5m
like "a dead-man's job after 7 min" guarded --dead-man-after 7m
like "a dead-man's job after 10 min" guarded --dead-man
like "a dead-man's job after 5 min" plain --dead-man
like "end at p95 above 50 ms; floor 12G" plain --stop-above p95=50ms --floor 12G
like "belongs to --set-with" plain --set-with-max 5m
like "$none" commanded --set-with-max 5m
like "does not go with --set-with" commanded --dead-man
like "not taken over" guarded --set-with true
said "belongs to --set-with" sweep -S sandbox:not-there --set-with-max 5m --dry-run
said "--budget cannot be given with --resume" sweep --resume "$sandbox_home/plain" --budget 5m
said "--set-with-max cannot be given with --resume" sweep --resume "$sandbox_home/plain" --set-with-max 5m
said "--warm-max is shorter than --warm" sweep -S sandbox:not-there --warm 10s --warm-max 5s --dry-run

# The demand of a run whose probe had set none.
like "has no demand" unprobed
like "has no demand" unprobed --users 8
like "$none" unprobed --think 5ms
like "$none" unprobed --rate 100

# A run.json that was edited: the limits of the command line.
wrong() { # NAME VALUE
  run_json edited "$@"
  like "wrong '$1'" edited
}
for v in settle_max_s:-1 warm_s:-1 measure_s:0 measure_s:0.5 'measure_s:"5"' measure_max_s:0.1 budget_s:0 set_with_max_s:0 put_back_max_s:1e9 floor_mib:0 \
  floor_mib:8192.5 precision:0 precision:0.6 refine:2 drift:0.5 stationary:7 dead_man_s:-5 stop_above:5 'stop_above:["p98=5ms"]' server:5 'database:""' \
  'encrypt:"maybe"' ca_file:7; do
  wrong "${v%%:*}" "${v#*:}"
done
run_json edited measure_s 5 measure_max_s 20
like "'measure_s' and" edited
run_json edited budget_s 600
like "'budget_s' without 'refine'" edited
run_json edited dead_man_s 600 set_with '"true"'
like "'dead_man_s' and 'set_with'" edited
run_json edited steps_mib '[16384,8192.5]'
like "steps" edited
think=-1 run_json edited
like "a demand that a sweep can have had" edited

# Folders that are something else.
for o in --like --resume --run; do
  said "$o: the name of the folder is empty" sweep -S sandbox:not-there "$o="
done
for o in --like --run; do
  said "$o: the name of the folder is empty" measure -S sandbox:not-there "$o="
done
other() { # NAME KIND
  run_json "$1"
  sed "s/\"schema\": 1/&, \"kind\": \"$2\"/" "$sandbox_home/$1/run.json" >"$sandbox_home/json" && mv "$sandbox_home/json" "$sandbox_home/$1/run.json"
}
other day day
other point measure
other joined joined
mkdir "$sandbox_home/analyzed"
echo '{"schema": 1}' >"$sandbox_home/analyzed/verdict.json"
for o in --like --resume; do
  said "a day that 'ramknee measure --no-load' has sampled" sweep "$o" "$sandbox_home/day" --yes
  said "one point of 'ramknee measure'" sweep "$o" "$sandbox_home/point" --yes
  said "joined" sweep "$o" "$sandbox_home/joined" --yes
  said "made from a table" sweep "$o" "$sandbox_home/analyzed" --yes
done
said "a day that 'ramknee measure --no-load' has sampled" measure -S sandbox:not-there --like "$sandbox_home/day"
said "made from a table" measure -S sandbox:not-there --like "$sandbox_home/analyzed"
said "made from a table" report "$sandbox_home/analyzed"
plan "$tap_n"
