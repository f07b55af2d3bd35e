#!/bin/bash
# Tests that ptxas, NVIDIA's assembler, assembles the kernels of all tests for all chips,
# and that they do not spill registers. Checks nothing where there is no ptxas.
#
#   ptxas_test.sh tools/ptxas-report Kernels_test
#
# ptxas chooses to spill two or three registers of some kernels, so that one more block of
# threads fits on a multiprocessor. Up to 32 bytes are allowed.
set -euo pipefail

report="$1" kernels="$2"
"$report" --is-there || exit 0
export SBP_PTX_FOLDER="$TEST_TMPDIR/ptx"
mkdir "$SBP_PTX_FOLDER"
"$kernels" --gtest_brief=1
"$report" --most-spilled 32 "$SBP_PTX_FOLDER"/*.ptx
