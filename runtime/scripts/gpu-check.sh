#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds the runtime on a machine with an NVIDIA GPU, runs its conformance suite and the driver-error tests there, and
# measures it: gpu-check.sh BUILD-FOLDER OUTPUT-FOLDER [cmake arguments]. Results and logs go to the output folder.
set -u
build=$1
output=$2
shift 2
source=$(dirname "$0")/..
jobs=$(nproc)
mkdir -p "$output"
cmake -S "$source" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DGUARDRT_CUDA=on "$@" >"$output/build.log" 2>&1 &&
  ninja -C "$build" -j "$jobs" all guardrt_bench_unchecked >>"$output/build.log" 2>&1 || {
  tail -30 "$output/build.log"
  exit 1
}
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
failed=0
(cd "$build" && ctest -R '\.cuda$' --timeout 60 --output-on-failure) >"$output/ctest.log" 2>&1 || failed=1
grep -vE '^ *Start|Passed' "$output/ctest.log" | tail -60
GUARDRT_TEST_BACKEND=cuda GUARDRT_TEST_OPERATIONS="${OPERATIONS:-400000}" timeout 120 \
  "$build/tests/guardrt_test_threads" | tee -a "$output/ctest.log" || failed=1
samples=${SAMPLES:-400}
"$build/bench/guardrt_bench" --samples "$samples" --readers 10000 --json "$output/runtime-wall.json" \
  >"$output/runtime-wall.txt" || failed=1
cat "$output/runtime-wall.txt"
"$build/bench/guardrt_bench_unchecked" --samples "${UNCHECKED_SAMPLES:-$samples}" --json "$output/runtime-unchecked.json" \
  >"$output/runtime-unchecked.txt" || failed=1
GUARDRT_CUDA_LIBRARY="$build/tests/shim/libguardrt_shim_real.so" \
  "$build/bench/guardrt_bench" --mode calls --json "$output/runtime-calls.json" >"$output/runtime-calls.txt" || failed=1
exit $failed
