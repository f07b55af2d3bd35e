#!/bin/bash
# The error on a memory limit blames the pins if a plan without them would fit, and not if
# none would: limits_blame_pins_test.sh GENERATOR SBPC
set -euo pipefail

generator="$1"
sbpc="$2"

shape=(--layers 2 --width 64 --heads 8 --batch 8)
"$generator" "${shape[@]}" -o "$TEST_TMPDIR/free.mlir"
"$generator" "${shape[@]}" --plan data-parallel --mesh 8 -o "$TEST_TMPDIR/pinned.mlir"

# Prints the error of sbpc on a memory limit: complaint BYTES ARGUMENT...
complaint() {
  local bytes="$1"
  shift
  if "$sbpc" "$@" --memory "$bytes" -o "$TEST_TMPDIR/program" 2>"$TEST_TMPDIR/complaint"; then
    echo "a plan fits into $bytes bytes" >&2
    exit 1
  fi
  cat "$TEST_TMPDIR/complaint"
}

least="$(complaint 1e5 "$TEST_TMPDIR/free.mlir" -n 8 |
  sed -n 's/.*the smallest found takes [^(]*(\([0-9]*\) bytes).*/\1/p')"
echo "without pins a plan takes $least bytes"

complaint "$((least * 115 / 100))" "$TEST_TMPDIR/pinned.mlir" | grep 'leaves* no plan that fits'
! complaint "$((least * 80 / 100))" "$TEST_TMPDIR/pinned.mlir" | grep 'leaves* no plan that fits'
