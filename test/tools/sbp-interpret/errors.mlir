// RUN: not sbp-interpret %s --entry train 2>&1 | FileCheck %s --check-prefix=ENTRY
// RUN: not sbp-interpret %s --entry f 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not sbp-interpret %s --entry f --fill y=1 --random-inputs 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not sbp-interpret %s --entry f --fill x=1 --fill x=2 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not sbp-interpret %s --entry f --fill x=one 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not sbp-interpret %s --entry f --fill x 2>&1 | FileCheck %s --check-prefix=FORM
// RUN: not sbp-interpret %s --entry f --input x=%t.npy 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: not sbp-interpret %s --entry f --fill x=1 --seed -1 2>&1 | FileCheck %s --check-prefix=SEED
// RUN: not sbp-interpret %s --entry recursive 2>&1 | FileCheck %s --check-prefix=RECURSIVE
// RUN: not sbp-interpret %s --entry labels --random-inputs --fill y=7 2>&1 | FileCheck %s --check-prefix=LABEL
// RUN: not sbp-interpret %s --entry said --fill y=-1 2>&1 | FileCheck %s --check-prefix=SAID
// RUN: not sbp-interpret %t.mlir --entry f 2>&1 | FileCheck %s --check-prefix=PROGRAM
// RUN: not sbp-interpret %s 2>&1 | FileCheck %s --check-prefix=USAGE

// ENTRY: there is no function 'train' here
// MISSING: needs a value for its input 'x', 'tensor<4xf32>'
// UNKNOWN: has no input 'y'
// TWICE: is given 'x' twice
// NUMBER: is given 'one' for 'x', which is no number
// FORM: is given 'x', which is not NAME=VALUE
// SEED: --seed: "-1" is no integer from 0 to 18446744073709551615
// FILE: has an input that cannot be read: {{.*}}.npy
// PROGRAM: cannot open input file
// USAGE: error: which entry? --entry NAME, with one of: f, recursive, labels
func.func @f(%x: tensor<4xf32> {nn.input = "x"}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// RECURSIVE: errors.mlir:[[# @LINE + 1]]:1: error: 'func.func' op calls itself
func.func @recursive() {
  call @recursive() : () -> ()
  return
}

// Errors of a compiled program.
// LABEL: 'func.func' op is given 7 in 'y', whose elements are from 0 to 2
func.func @labels(%x: tensor<4x3xf32> {nn.input = "x"}, %y: tensor<4xi32> {nn.input = "y"}) -> tensor<f32> {
  %l = nn.cross_entropy %x, %y : (tensor<4x3xf32>, tensor<4xi32>) -> tensor<f32>
  return %l : tensor<f32>
}

// SAID: 'func.func' op is given -1 in 'y', whose elements are from 0 to 4
func.func @said(%y: tensor<4xi32> {nn.input = "y", nn.below = 5 : i64}) -> tensor<4xi32> {
  return %y : tensor<4xi32>
}
