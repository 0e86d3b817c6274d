#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Everything that needs a GPU, in one call: builds with nvcc, tests the kernels against their host twins, runs the
# sanitizers over the tests, and measures. Writes bench_kernels.json and logs to OUT.
#
#   bench/kernels/gpu.sh [-b BINARIES] [-o OUT] [-s] [-- BENCH-OPTIONS]
#
# -b takes programs that are built already (a folder with bench_kernels and kernels_test_*); -s leaves the
# sanitizers out. Exit status 0: all tests passed, no sanitizer found anything, every result was right.
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
binaries= out=. sanitize=yes failed=0
while getopts b:o:s option; do
    case $option in
    b) binaries=$OPTARG ;;
    o) out=$OPTARG ;;
    s) sanitize=no ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))

if [ -z "$binaries" ]; then
    build=${TMPDIR:-/tmp}/guardkernels-gpu
    cmake -S "$here" -B "$build" -DCMAKE_BUILD_TYPE=Release -DGUARDLINT_ANALYZER=OFF -DGUARDKERNELS_CUDA=on \
        -DCMAKE_CUDA_ARCHITECTURES=native && cmake --build "$build" -j "$(nproc)" || exit 1
    binaries=$build/bin
    mkdir -p "$binaries"
    find "$build" -type f -perm -u+x \( -name 'kernels_test_*' -o -name bench_kernels \) -exec ln -sf {} "$binaries" \;
fi

note() { # status, what
    [ "$1" -eq 0 ] || { echo "FAILED: $2"; failed=1; }
}

nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader
for test in "$binaries"/kernels_test_*; do
    "$test" >"$out/$(basename "$test").log" 2>&1
    note $? "$test"
    tail -n 1 "$out/$(basename "$test").log"
    grep -q skipped "$out/$(basename "$test").log" && { echo "FAILED: no GPU was used"; failed=1; }
done

if [ $sanitize = yes ]; then
    for tool in memcheck racecheck initcheck; do
        for test in "$binaries"/kernels_test_*; do
            log=$out/$tool-$(basename "$test").log
            CK_RUN_CASE=all timeout 200 compute-sanitizer --tool $tool --error-exitcode 9 "$test" >"$log" 2>&1
            note $? "$tool $test"
            echo "$tool $(basename "$test"): $(grep -E 'ERROR SUMMARY|RACECHECK SUMMARY' "$log")"
        done
    done
fi

"$binaries/bench_kernels" --backend cuda --json "$out/bench_kernels.json" "$@" 2>&1 | tee "$out/bench_kernels.log"
grep -q '^  \]' "$out/bench_kernels.json" && ! grep -q '"verified": false' "$out/bench_kernels.json"
note $? bench_kernels
[ $failed -eq 0 ] && echo "all passed"
exit $failed
