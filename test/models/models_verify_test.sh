#!/bin/bash
# Every model, under every plan, can be parsed, verified and printed unchanged:
# models_verify_test.sh GPT_GENERATOR CNN_GENERATOR VGG_GENERATOR MLP SBP_OPT
set -euo pipefail

generator="$1"
cnn_generator="$2"
vgg_generator="$3"
mlp="$4"
sbp_opt="$5"

"$sbp_opt" --verify-roundtrip "$mlp" >/dev/null

# Generates and verifies a GPT: gpt GENERATOR_OPTION...
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

# Generates and verifies a CNN: cnn GENERATOR_OPTION...
cnn() {
  echo "cnn.py $*"
  "$cnn_generator" "$@" -o "$TEST_TMPDIR/cnn.mlir"
  "$sbp_opt" --verify-roundtrip "$TEST_TMPDIR/cnn.mlir" >/dev/null
}

cnn
cnn --stages 4 --blocks 2 --width 64 --extent 224 --classes 1000
# Initial standard deviations of 1: a float in IR has a point.
cnn --width 2
grep -q "#nn.normal<1.0>" "$TEST_TMPDIR/cnn.mlir"
for plan in "data-parallel 4" "filters 4" "data-filters 2x2" "space 4"; do
  read -r name mesh <<<"$plan"
  cnn --plan "$name" --mesh "$mesh"
done
if "$cnn_generator" --extent 3 --stages 3 2>"$TEST_TMPDIR/error"; then
  echo "images that cannot be halved were accepted" >&2
  exit 1
fi
grep -q "images of extent 3 cannot be halved 2 times" "$TEST_TMPDIR/error"

# Generates and verifies a VGG: vgg GENERATOR_OPTION...
vgg() {
  echo "vgg.py $*"
  "$vgg_generator" "$@" -o "$TEST_TMPDIR/vgg.mlir"
  "$sbp_opt" --verify-roundtrip "$TEST_TMPDIR/vgg.mlir" >/dev/null
}

# The numbers of parameters of VGG-16 and VGG-13 (arXiv 1409.1556, table 2, in millions).
vgg
grep -q "^// 138357544 parameters" "$TEST_TMPDIR/vgg.mlir"
vgg --layers 13
grep -q "^// 133047848 parameters" "$TEST_TMPDIR/vgg.mlir"
for layers in 11 19; do
  vgg --layers "$layers" --extent 65 --divisor 8
done
for plan in "data-parallel 4" "dense 4" "filters 4" "data-filters 2x2"; do
  read -r name mesh <<<"$plan"
  vgg --plan "$name" --mesh "$mesh"
done
if "$vgg_generator" --extent 31 2>"$TEST_TMPDIR/error"; then
  echo "images that cannot be halved were accepted" >&2
  exit 1
fi
grep -q "images of extent 31 cannot be halved 5 times" "$TEST_TMPDIR/error"
if "$vgg_generator" --divisor 3 2>"$TEST_TMPDIR/error"; then
  echo "a divisor that does not divide was accepted" >&2
  exit 1
fi
grep -q "the divisor 3 does not divide the 64 channels" "$TEST_TMPDIR/error"

# A plan on a mesh with another number of axes is refused; the error names both.
if "$generator" --plan megatron --mesh 2x2 2>"$TEST_TMPDIR/error"; then
  echo "a plan of one axis was accepted on a mesh of two" >&2
  exit 1
fi
grep -q "plan megatron has the axes model, but the mesh is 2x2" "$TEST_TMPDIR/error"
