#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Shows one example's wrong twin three ways: what the linter finds, what checked mode reports, and the order of the
# streams in which the output is wrong. Then the same for the right example.
#
#   kernels/examples/show.sh BUILD [NAME]      NAME: unpack (default), scaled_add, filter, …
set -u
[ $# -ge 1 ] || { sed -n 's/^#   //p' "$0" >&2; exit 2; }
build=$1 name=${2:-unpack}
here=$(cd "$(dirname "$0")" && pwd)
programs=$(dirname "$(find "$build" -type f -name "kernels_wrong_$name" | head -n 1)")
linter=${GUARDLINT:-$(find "$build" -type f -name guardlint -perm -u+x | head -n 1)}
[ -x "$programs/kernels_wrong_$name" ] || { echo "$build has no example $name" >&2; exit 2; }

show() { # kind, file
    echo
    echo "== $1/$name.c"
    echo "-- guardlint check $1/$name.c"
    if [ -n "$linter" ]; then
        "$linter" check --no-config -p "$build" "$here/$1/$name.c"
    else
        echo "(this build has no linter)"
    fi
    echo "-- a run"
    GUARDRT_BACKEND=host "$programs/kernels_$1_$name"
    echo "-- a run in checked mode (GUARDRT_CHECK=1)"
    GUARDRT_BACKEND=host GUARDRT_CHECK=1 "$programs/kernels_$1_$name"
    echo "-- up to 200 orders of the streams (GUARDRT_SCHEDULES=200)"
    GUARDRT_SCHEDULES=200 "$programs/kernels_$1_$name"
}
show wrong 2>&1
show guarded 2>&1
