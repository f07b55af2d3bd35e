#!/bin/bash
# Compiling the text of any form of the demo, or of a pipeline of two stages, gives the same
# plan, byte for byte, including names of tensors, if the form says where ops stand in the model
# (--form-places); so does the local form with fused ops. The text of the local form gives the
# same program. A form without places has places of its own, and else the same text. Printing
# each form and parsing it changes nothing:
# forms_restart_test.sh GENERATOR SBPC SBP_OPT
set -euo pipefail

generator="$1"
sbpc="$2"
sbp_opt="$3"
folder="$TEST_TMPDIR"

restart() {
  local model="$1" forms form
  rm -rf "$folder/forms" "$folder/placed"
  "$sbpc" "$model" --dump-forms "$folder/forms" -o "$model.program"
  "$sbpc" "$model" --dump-forms "$folder/placed" --form-places -o "$model.again"
  cmp "$model.program" "$model.again"
  forms=("$folder"/forms/*.mlir)
  echo "$model: ${forms[*]##*/}"
  ((${#forms[@]} == 6))
  for form in "${forms[@]##*/}"; do
    echo "from $form"
    "$sbpc" "$folder/placed/$form" --emit plan | cmp "$folder/forms/6-plan.json" -
    # The forms differ in places only.
    "$sbp_opt" "$folder/placed/$form" | cmp "$folder/forms/$form" -
  done
  for form in "${forms[@]}"; do
    "$sbp_opt" --verify-roundtrip "$form" >/dev/null
    # sbp-opt keeps names of tensors, as sbpc does.
    "$sbp_opt" "$form" -o "$form.again"
    cmp "$form" "$form.again"
  done
  # The local form is the last one.
  "$sbpc" "$form" --emit plan -o "$form.json"
  grep -qF "${form##*/}\"" "$form.json"
  "$sbpc" "$folder/placed/${form##*/}" -o "$form.program"
  cmp "$model.program" "$form.program"
  [[ -s "$folder/forms/6-plan.json" && -s "$folder/forms/7-llvm.ll" ]]
  [[ -s "$folder/forms/8-kernels.s" ]]
}

"$generator" --preset demo --plan data-megatron --mesh 2x2 -o "$folder/gpt.mlir"
restart "$folder/gpt.mlir"
grep -q "%tokens" "$folder/forms/3-placed.mlir"
"$generator" --layers 2 --batch 4 --stages 1,1 --groups 2,2 --plan megatron \
  -o "$folder/stages.mlir"
restart "$folder/stages.mlir"
