#!/bin/sh
# A whole small sweep in a sandbox: steps, digests, setting back, run folder, report.
# shellcheck source=lib.sh
. "$top_srcdir/tests/sweep/lib.sh"
prepare

digests() {
  cat "$here"/run/steps/0[1-9]*/step.json | sed -n 's/.*"digest": *"\([0-9a-f]*\)".*/\1/p'
}

same_digests() {
  [ "$(digests | wc -l)" -eq 4 ] && [ "$(digests | sort -u | wc -l)" -eq 1 ]
}

whole_steps() {
  [ "$(ls "$here/run/steps" | tr '\n' ' ')" = "00-16G 01-16G 02-12G 03-8G 04-16G " ]
}

# Exactly the seconds of the measured phase are labelled so.
measured_seconds() {
  for f in "$here"/run/steps/0[1-9]*/load.tsv; do
    [ "$(awk -F'\t' 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "phase") p = i } NR > 1 && $p == 2' "$f" | wc -l)" -eq "$seconds" ] || return 1
  done
}

# No phase ends before it begins: settling begins at once for the server, with the next whole second for the users.
phases_in_order() {
  cat "$here"/run/steps/*/step.json | awk '/"(begin|end)_ns"/ { gsub(/[^0-9]/, "", $2); if (/begin/) b = $2; else if (b != "" && $2 != "") { n++; if ($2 + 0 < b + 0) bad = 1 } }
    END { exit bad || n < 14 }'
}

dry_run() {
  ramknee sweep -S sandbox --steps 16G,12G,8G --dry-run </dev/null >"$here/dry" 2>&1 && grep -q "at most" "$here/dry" && grep -q "12 GB" "$here/dry"
}

ok "--dry-run prints the plan" dry_run
ok "and changes nothing" setting_is "$before"
seconds=$((5 * slowness))
# On a machine so busy that 1,000 requests take longer, longer.
patient_drift_sweep() {
  drift_sweep
  drift_status=$?
  [ $drift_status -eq 2 ] && grep -q "measure longer" "$run.err" || return $drift_status
  rm -r "$run"
  seconds=60
  drift_sweep
}
drift_sweep() {
  run=$here/run
  ramknee sweep -S sandbox --users 8 --think 0 --steps 16G,12G,8G --settle-max 60s --warm 1s --warm-max 1s --measure ${seconds}s --burn-in 1s \
    --run "$run" --yes >"$run.out" 2>"$run.err" </dev/null
}

report_again() {
  ramknee report "$here/run" >"$here/again.out" 2>"$here/again.err" && grep -q "16 GB" "$here/again.out"
}

probe_sweep() {
  run=$here/probe
  ramknee sweep -S sandbox --users 8 --steps 16G,8G --settle-max 60s --warm 1s --warm-max 1s --measure 9s --burn-in 1s --no-drift --no-pictures \
    --slo p95=60s --tolerance 7% --run "$run" --yes >"$run.out" 2>"$run.err" </dev/null
}

rate_sweep() {
  run=$here/rate
  ramknee sweep -S sandbox --users 16 --rate 250 --steps 16G,8G --settle-max 60s --warm 1s --warm-max 1s --measure 7s --burn-in 1s --no-drift --no-pictures \
    --run "$run" --yes >"$run.out" 2>"$run.err" </dev/null
}

ok "a sweep ends with status 0" status_is 0 patient_drift_sweep
ok "the setting is back" setting_is "$before"
ok "the journal is gone" no_journal
ok "every step is whole, the first one again at the end" whole_steps
ok "the same requests were sent at each step" same_digests
ok "each measured for exactly its time" measured_seconds
ok "no phase ends before it begins" phases_in_order
ok "the end is written down" grep -q '"put_back": true' "$here/run/end.json"
ok "the confirmation named server, range, plan cache" grep -Eq "plan cache" "$here/run.err"
ok "tables were printed" grep -q "16 GB" "$here/run.out"
ok "report works from the folder" report_again
ok "a default demand is set by a probe" status_is 0 probe_sweep
ok "and written down" grep -q '"think_s": 0\.' "$here/probe/demand.json"
ok "a limit and a tolerance go to the report" grep -q '"limit": 60000' "$here/probe/verdict.json"
ok "... both" grep -q '"tolerance": 0.07' "$here/probe/verdict.json"
ok "a rate is held" status_is 0 rate_sweep
ok "the setting is back after all of them" setting_is "$before"
done_testing
