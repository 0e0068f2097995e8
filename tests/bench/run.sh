#!/bin/sh
# run.sh PROGRAM...: run the benches one after another beside a sandbox; from the build folder, called by `make bench`.
# shellcheck disable=SC1091,SC2154  # the library and what make sets
. "$top_srcdir/tests/lib/sandbox.sh"

sandbox_start bench || exit 1
SANDBOX=sandbox:bench
export SANDBOX
status=0
for program in "$@"; do
  case $program in
  *.sh) set -- "$SHELL" "$top_srcdir/$program" ;;
  *) set -- "$top_builddir/$program" ;;
  esac
  "$@" "$SANDBOX" || status=1
done
exit $status
