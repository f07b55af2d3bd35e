// All values of a program are tensors, and all functions have bodies. Every tool refuses
// other programs with an error at the op, before any pass.

// RUN: split-file %s %t
// RUN: not sbp-opt %t/argument.mlir 2>&1 | FileCheck %s --check-prefix=ARGUMENT
// RUN: not sbpc %t/argument.mlir -n 2 -o %t/p 2>&1 | FileCheck %s --check-prefix=ARGUMENT
// RUN: not sbpc %t/argument.mlir -n 2 --micro-batches 2 -o %t/p 2>&1 | FileCheck %s --check-prefix=ARGUMENT
// RUN: not sbpc explain %t/argument.mlir -n 2 2>&1 | FileCheck %s --check-prefix=ARGUMENT
// RUN: not sbp-interpret %t/argument.mlir --entry f --random-inputs 2>&1 | FileCheck %s --check-prefix=ARGUMENT
// RUN: not sbp-opt %t/declaration.mlir --sbp-insert-boxing 2>&1 | FileCheck %s --check-prefix=DECLARATION
// RUN: sbp-opt %t/passes.mlir --split-input-file --verify-diagnostics --sbp-verify-tensors
// RUN: sbp-opt %t/passes.mlir --split-input-file --verify-diagnostics --sbp-schedule-stages
// RUN: sbp-opt %t/passes.mlir --split-input-file --verify-diagnostics --sbp-cut-stages
// RUN: sbp-opt %t/passes.mlir --split-input-file --verify-diagnostics --sbp-choose-stages
// RUN: sbp-opt %t/passes.mlir --split-input-file --verify-diagnostics --sbp-divide-pipes
// RUN: sbp-opt %t/passes.mlir --split-input-file --verify-diagnostics --sbp-differentiate
// RUN: sbp-opt %t/passes.mlir --split-input-file --verify-diagnostics --sbp-bound-inputs
// RUN: sbp-opt %t/passes.mlir --split-input-file --verify-diagnostics --sbp-place
// RUN: sbp-opt %t/passes.mlir --split-input-file --verify-diagnostics --sbp-insert-boxing
// RUN: sbp-opt %t/passes.mlir --split-input-file --verify-diagnostics --sbp-localize

//--- argument.mlir
// ARGUMENT: argument.mlir:4:50: error: {{.*}}takes a 'f32', which is no tensor
// ARGUMENT-NOT: error:
// ARGUMENT-NOT: see current operation
func.func @f(%x: tensor<4xf32> {nn.input = "x"}, %scale: f32 {nn.input = "scale"}) -> (tensor<4xf32> {nn.output = "o"}) {
  %y = nn.relu %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

//--- declaration.mlir
// DECLARATION: declaration.mlir:3:1: error: 'func.func' op has no body; the functions of a program are all defined in it
// DECLARATION-NOT: error:
func.func private @ext(tensor<4xf32>) -> tensor<4xf32>

//--- passes.mlir
// expected-error @+1 {{has no body}}
func.func private @declared(tensor<4xf32>) -> tensor<4xf32>

// -----

// expected-error @+1 {{takes a 'i32', which is no tensor}}
func.func private @a_layer(%x: i32) { return }

// -----

// expected-error @+1 {{takes a 'index', which is no tensor}}
func.func @an_entry(%x: index) -> index { return %x : index }

// -----

// expected-error @+1 {{takes a 'tensor<*xf32>', which is no ranked tensor}}
func.func @no_rank(%x: tensor<*xf32>) { return }

// -----

// expected-error @+1 {{takes a 'vector<4xf32>', which is no tensor}}
func.func @a_vector(%x: vector<4xf32>) { return }

// -----

func.func @a_value(%x: tensor<4xf32>) {
  // expected-error @+1 {{makes a 'tuple<>', which is no tensor}}
  %y = builtin.unrealized_conversion_cast to tuple<>
  return
}
