#!/bin/bash
# Every machine can be parsed and printed unchanged, and has a device; a model is placed and
# boxed for it. The machine that sbpc assumes without one is that of machines/host.mlir.
set -euo pipefail
sbp_opt=$1 sbpc=$2
shift 2

cat > "$TEST_TMPDIR/model.mlir" <<'END'
func.func @double(%x: tensor<64x8xf32> {nn.input = "x"}) -> tensor<64x8xf32> {
  %y = nn.add %x, %x : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
  return %y : tensor<64x8xf32>
}
END

for machine in "$@"; do
  "$sbp_opt" --verify-roundtrip "$machine" > "$TEST_TMPDIR/machine.mlir"
  grep -q 'device #sbp.device<.*memory = ' "$TEST_TMPDIR/machine.mlir" ||
    { echo "$machine describes no device" >&2; exit 1; }
  "$sbpc" "$TEST_TMPDIR/model.mlir" --machine "$machine" --emit=boxed \
    -o "$TEST_TMPDIR/boxed.mlir"
  grep -q "$(grep -o 'sbp.machine @[a-z0-9_]*' "$machine")" \
    "$TEST_TMPDIR/boxed.mlir"
done

# Programs run on CPUs. For other devices sbpc makes a plan, and a program with a warning.
compiled() {
  "$sbpc" "$TEST_TMPDIR/model.mlir" --machine "$1" --emit="$2" \
    -o "$TEST_TMPDIR/compiled" 2>&1
}
for machine in "$@"; do
  warning=
  grep -q 'kind = gpu' "$machine" &&
    warning="$(basename "$machine" .mlir) are GPUs: the program is laid out for them, but runs on CPUs"
  said=$(compiled "$machine" plan)
  [ -z "$said" ] || { echo "a plan for $machine: $said" >&2; exit 1; }
  said=$(compiled "$machine" obj)
  [[ $said == ${warning:+*$machine:*warning:*"$warning"*} ]] ||
    { echo "a program for $machine: $said" >&2; exit 1; }
done

# Except for the memory, which is that of this host.
said() { grep 'sbp.machine @host' "$1" | sed 's/memory = [^,]*//'; }
host=$(printf '%s\n' "$@" | grep 'host.mlir$')
"$sbp_opt" "$host" > "$TEST_TMPDIR/host.mlir"
"$sbpc" "$TEST_TMPDIR/model.mlir" -n 4 --emit=boxed -o "$TEST_TMPDIR/assumed.mlir"
diff <(said "$TEST_TMPDIR/host.mlir") <(said "$TEST_TMPDIR/assumed.mlir")
[ -n "$(said "$TEST_TMPDIR/host.mlir")" ]
