#!/bin/sh
# What the whole load path says of delays that are known: programmed in the sandbox's front door, measured by users, collector and
# histograms.
# shellcheck disable=SC1091,SC2154  # the library, and what make sets
. "$top_srcdir/tests/lib/sandbox.sh"

sandbox_start truth || { echo "Bail out! the sandbox did not start"; exit 1; }
timeout 300 "$top_builddir/tests/drive/truth" sandbox:truth
