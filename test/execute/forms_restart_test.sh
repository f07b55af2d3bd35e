#!/bin/bash
# The demo, taken on from the text of any of its forms, becomes the same program, byte
# for byte; and each form survives printing: forms_restart_test.sh GENERATOR SBPC SBP_OPT
set -euo pipefail

generator="$1"
sbpc="$2"
sbp_opt="$3"
folder="$TEST_TMPDIR"

"$generator" --preset demo --plan data-megatron --mesh 2x2 -o "$folder/gpt.mlir"
"$sbpc" "$folder/gpt.mlir" --dump-forms "$folder/forms" -o "$folder/gpt"

forms=("$folder"/forms/*.mlir)
echo "forms: ${forms[*]##*/}"
((${#forms[@]} == 5))

for form in "${forms[@]}"; do
  echo "from ${form##*/}"
  "$sbp_opt" --verify-roundtrip "$form" >/dev/null
  "$sbpc" "$form" -o "$form.program"
  cmp "$folder/gpt" "$form.program"
done
