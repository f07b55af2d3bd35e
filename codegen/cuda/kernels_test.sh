#!/bin/bash
# Runs the test cases of a program, which run kernels for GPUs on a CPU. Then tests that
# ptxas, NVIDIA's assembler, assembles these kernels for all chips, and that they do not
# spill registers; not where there is no ptxas.
#
#   kernels_test.sh tools/ptxas-report Kernels
#
# ptxas chooses to spill two or three registers of some kernels, so that one more block of
# threads fits on a multiprocessor. Up to 32 bytes are allowed.
set -euo pipefail

report="$1" kernels="$2"
if "$report" --is-there; then
  export SBP_PTX_FOLDER="$TEST_TMPDIR/ptx"
  mkdir "$SBP_PTX_FOLDER"
fi
"$kernels" --gtest_brief=1
if [[ -v SBP_PTX_FOLDER ]]; then
  "$report" --most-spilled 32 "$SBP_PTX_FOLDER"/*.ptx
fi
