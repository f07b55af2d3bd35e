#!/bin/bash
# ptxas assembles the kernels of all tests for all chips, and they have registers enough:
# ptxas_test.sh tools/ptxas-report Kernels_test. Without a ptxas nothing is checked.
#
# For some kernels ptxas chooses to spill two or three registers, so that one more block
# of threads has room on a multiprocessor. That much is allowed.
set -euo pipefail

report="$1" kernels="$2"
"$report" --is-there || exit 0
export SBP_PTX_FOLDER="$TEST_TMPDIR/ptx"
mkdir "$SBP_PTX_FOLDER"
"$kernels" --gtest_brief=1
"$report" --most-spilled 32 "$SBP_PTX_FOLDER"/*.ptx
