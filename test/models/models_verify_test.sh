#!/bin/bash
# Every model, under every plan, parses, verifies and survives printing:
# models_verify_test.sh GENERATOR MLP SBP_OPT
set -euo pipefail

generator="$1"
mlp="$2"
sbp_opt="$3"

"$sbp_opt" --verify-roundtrip "$mlp" >/dev/null

# Generates and verifies: gpt GENERATOR_OPTION...
gpt() {
  echo "gpt.py $*"
  "$generator" "$@" -o "$TEST_TMPDIR/gpt.mlir"
  "$sbp_opt" --verify-roundtrip "$TEST_TMPDIR/gpt.mlir" >/dev/null
}

gpt --preset demo
gpt --preset gpt2
gpt --tie-head --optimizer sgd
# Extents that four ranks do not divide.
gpt --plan data-megatron --mesh 2x2 --layers 1 --heads 3 --width 9 \
  --vocabulary 257 --batch 5 --sequence 7
for plan in "data-parallel 4" "megatron 4" "data-megatron 2x2" "2.5d 2x2" "zero 4"; do
  read -r name mesh <<<"$plan"
  gpt --plan "$name" --mesh "$mesh"
done

# A plan on a mesh with another number of axes is refused, with both facts.
if "$generator" --plan megatron --mesh 2x2 2>"$TEST_TMPDIR/error"; then
  echo "a plan of one axis was accepted on a mesh of two" >&2
  exit 1
fi
grep -q "plan megatron has the axes model, but the mesh is 2x2" "$TEST_TMPDIR/error"
