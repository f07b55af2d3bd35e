#!/bin/bash
# Under Megatron's plan a layer moves one tensor in the forward pass, the sum of its second
# product's terms, and one in the backward pass, the sum of the gradients of its first
# product's input. It moves no weights: megatron_reduces_once_test.sh GENERATOR SBP_OPT
set -euo pipefail

generator="$1"
sbp_opt="$2"

"$generator" --preset demo --plan megatron --mesh 4 -o "$TEST_TMPDIR/gpt.mlir"
"$sbp_opt" --sbp-to-boxed=place-by=propagation "$TEST_TMPDIR/gpt.mlir" -o "$TEST_TMPDIR/boxed.mlir"

# Prints the boxings in a function: boxings FUNCTION
boxings() {
  sed -n "/func.func private @$1(/,/^  }/p" "$TEST_TMPDIR/boxed.mlir" | grep 'sbp\.box'
}

for layer in attention feed_forward; do
  for direction in forward backward; do
    echo "$layer.$direction:"
    boxings "$layer.$direction" | tee "$TEST_TMPDIR/boxings"
    (($(wc -l <"$TEST_TMPDIR/boxings") == 1))
    grep -q '#Psum_[a-z]*> to .*#B_[a-z]*>' "$TEST_TMPDIR/boxings"
  done
done
