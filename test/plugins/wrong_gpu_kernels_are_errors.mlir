// RUN: split-file %s %t
// RUN: not sbpc %t/nothing.mlir -n 1 --load-dialect-plugin=%fixtures/trial/trial.so --target cuda --emit plan 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: not sbpc %t/mixed.mlir -n 1 --load-dialect-plugin=%fixtures/trial/trial.so --target cuda --emit plan 2>&1 | FileCheck %s --check-prefix=MIXED
// RUN: sbpc %t/mixed.mlir -n 1 --load-dialect-plugin=%fixtures/trial/trial.so --emit plan -o /dev/null

// The checks of ops run no kernels for GPUs. Code that is none is one error, at the first op that
// has it, and only where it is asked for.

//--- nothing.mlir

// NOTHING: nothing.mlir:{{[0-9]+}}:8: error: 'trial.bad_gpu_copy' op has a GPU kernel that computes nothing: it has no launch
// NOTHING-NOT: error:
func.func @predict(%x: tensor<8x4xf32> {nn.input = "x"})
    -> (tensor<8x4xf32> {nn.output = "y"}) {
  %y = trial.bad_gpu_copy %x : tensor<8x4xf32>
  return %y : tensor<8x4xf32>
}

//--- mixed.mlir

// MIXED: mixed.mlir:{{[0-9]+}}:8: error: 'trial.bad_gpu_copy' op has a GPU kernel that is not valid: 'arith.addf' op
// MIXED-NOT: error:
func.func @predict(%x: tensor<8x4xf32> {nn.input = "x"})
    -> (tensor<8x4xf32> {nn.output = "y"}) {
  %a = trial.bad_gpu_copy %x {mixed} : tensor<8x4xf32>
  %y = trial.bad_gpu_copy %a {mixed} : tensor<8x4xf32>
  return %y : tensor<8x4xf32>
}
