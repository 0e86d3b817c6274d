#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Tests the column programs as a user runs them: test_programs.sh ENCODE_COLUMN DECODE_COLUMN
set -u
encode=$1 decode=$2
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
failed=0

# expect STATUS WORDS COMMAND…: the command's exit status, and words in what it says.
expect() {
    status=$1 words=$2
    shift 2
    said=$("$@" 2>&1)
    got=$?
    if [ $got -ne "$status" ] || ! printf '%s\n' "$said" | grep -qF -- "$words"; then
        echo "FAILED: $* ended with $got (wanted $status) and said '$said' (wanted '$words')"
        failed=1
    fi
}

export GUARDRT_BACKEND=host
for kind in "u32 packed" "u16 zigzag" "u64 dictionary" "f32 runend" "f64 alp"; do
    set -- $kind
    expect 0 "" "$encode" "$folder/a.gkc" --type "$1" --encoding "$2" --count 100003
    expect 0 "100003 values, $2" "$decode" "$folder/a.gkc" --streams 3 --splits 7 -o "$folder/values"
    # What was decoded, encoded again, is the same file.
    expect 0 "" "$encode" "$folder/b.gkc" --type "$1" --encoding "$2" --values "$folder/values"
    expect 0 "" cmp "$folder/a.gkc" "$folder/b.gkc"
done

head -c 300 "$folder/a.gkc" >"$folder/cut.gkc"
expect 1 "truncated" "$decode" "$folder/cut.gkc"
: >"$folder/empty.gkc"
expect 1 "truncated" "$decode" "$folder/empty.gkc"
cp "$folder/a.gkc" "$folder/bad.gkc"
printf X | dd of="$folder/bad.gkc" bs=1 seek=1000 conv=notrunc 2>/dev/null
expect 1 "wrong checksum of the data" "$decode" "$folder/bad.gkc"
printf X | dd of="$folder/bad.gkc" bs=1 seek=25 conv=notrunc 2>/dev/null
expect 1 "wrong checksum of the header" "$decode" "$folder/bad.gkc"
expect 1 "not a column file" "$decode" "$0"
expect 1 "No such file" "$decode" "$folder/none"
expect 2 "usage" "$decode"
expect 2 "usage" "$decode" "$folder/a.gkc" --streams
expect 2 "no number from 1 to 16" "$decode" "$folder/a.gkc" --streams 17
expect 2 "usage" "$decode" "$folder/a.gkc" --backend gpu
expect 2 "usage" "$encode" "$folder/a.gkc" --type i32
expect 1 "floating point" "$encode" "$folder/a.gkc" --type u32 --encoding alp
exit $failed
