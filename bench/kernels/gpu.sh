#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Everything that needs a GPU, in one call: builds with nvcc, tests the kernels against their host twins, runs the
# examples, measures, and runs the sanitizers over the tests. Writes bench_kernels.json and logs to OUT.
#
#   bench/kernels/gpu.sh [-b BINARIES] [-o OUT] [-s] [-- BENCH-OPTIONS]
#
# -b takes programs that are built already, all in one folder; -s leaves the sanitizers out. Exit status 0: all tests
# passed, no sanitizer found anything, every result was right.
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
    cmake -S "$here" -B "$build" -DCMAKE_BUILD_TYPE=Release -DGUARDLINT_ANALYZER=OFF -DGUARDKERNELS_CUDA=on &&
        cmake --build "$build" -j "$(nproc)" || exit 1
    binaries=$build/bin
    mkdir -p "$binaries"
    find "$build" -type f -perm -u+x \( -name 'kernels_*' -o -name bench_kernels -o -name '*code_column' \) \
        -exec ln -sf {} "$binaries" \;
fi

note() { # status, what
    [ "$1" -eq 0 ] || { echo "FAILED: $2"; failed=1; }
}

run() { # log, command…
    log=$out/$1.log
    shift
    "$@" >"$log" 2>&1
    note $? "$*"
    grep -q skipped "$log" && { echo "FAILED: $1 used no GPU"; failed=1; }
    tail -n 1 "$log"
}

nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader
export GUARDRT_BACKEND=cuda
for test in "$binaries"/kernels_test_*; do
    run "$(basename "$test")" "$test"
done
# The code for older devices, compiled by the driver from the PTX.
run ptx-unpack env CUDA_FORCE_PTX_JIT=1 "$binaries/kernels_test_unpack"
for example in "$binaries"/kernels_foreign "$binaries"/kernels_guarded_*; do
    run "$(basename "$example")" env GUARDRT_CHECK=1 "$example"
done
for wrong in "$binaries"/kernels_wrong_*; do
    GUARDRT_CHECK=1 "$wrong" >"$out/wrong.log" 2>&1
    grep -q 'released-before-launch' "$out/wrong.log"
    note $? "$wrong: checked mode does not report it"
done
for encoding in packed zigzag dictionary runend alp; do
    "$binaries/encode_column" "$out/column" --type f64 --encoding $encoding --count 5000000
    run "decode-$encoding" "$binaries/decode_column" "$out/column" --streams 4 --splits 32
done
rm -f "$out/column"

"$binaries/bench_kernels" --backend cuda --json "$out/bench_kernels.json" "$@" 2>&1 | tee "$out/bench_kernels.log"
grep -q '^  \]' "$out/bench_kernels.json" && ! grep -q '"verified": false' "$out/bench_kernels.json"
note $? bench_kernels

for tool in memcheck racecheck initcheck; do
    [ $sanitize = yes ] || break
    # initcheck does not see what the copy engine's bulk stores write, so it gets the code that does without them.
    [ $tool = initcheck ] && export CUDA_FORCE_PTX_JIT=1
    for test in "$binaries"/kernels_test_*; do
        log=$out/$tool-$(basename "$test").log
        CK_RUN_CASE=all timeout 200 compute-sanitizer --tool $tool --error-exitcode 9 "$test" >"$log" 2>&1
        note $? "$tool $test"
        echo "$tool $(basename "$test"): $(grep -E 'ERROR SUMMARY|RACECHECK SUMMARY' "$log")"
    done
done
[ $failed -eq 0 ] && echo "all passed"
exit $failed
