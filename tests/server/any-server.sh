#!/bin/sh
# What the client needs of a server, tried on the sandbox.
# shellcheck disable=SC1091,SC2154  # the library and what make sets
. "$top_srcdir/tests/lib/sandbox.sh"
sandbox_start any || exit 1
"$top_builddir/tests/server/any-server" -S sandbox:any
