# Sourced by the shell tests of report: a folder of the test's own to work in, run folders with known curves by make-run, TAP.
#
#   "$make_run" KIND FOLDER     write such a run folder
#   ok STATUS NAME              the next test: passed when STATUS is 0
#   has FILE TEXT               is it there, on lines joined by blanks, since sentences are wrapped?
# shellcheck shell=sh

# shellcheck disable=SC2034 # for those that source this
make_run=${top_builddir:?run by make check}/tests/report/make-run
work=$(mktemp -d "${TMPDIR:-/var/tmp}/ramknee-report.XXXXXX") || exit 99
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
cd "$work" || exit 99

n=0
ok() {
  n=$((n + 1))
  if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; fi
}
has() {
  tr -s '\n ' ' ' < "$1" | grep -qF -- "$2"
}
