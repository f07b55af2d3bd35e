// RUN: split-file %s %t
// RUN: not sbp-opt %t/axes.mlir --load-dialect-plugin=%fixtures/trial/trial.so --sbp-to-placed 2>&1 | FileCheck %s --check-prefix=AXES
// RUN: not sbpc %t/axes.mlir --load-dialect-plugin %fixtures/trial/trial.so --emit placed 2>&1 | FileCheck %s --check-prefix=AXES
// RUN: not sbpc explain %t/axes.mlir --load-dialect-plugin %fixtures/trial/trial.so 2>&1 | FileCheck %s --check-prefix=AXES
// RUN: not sbp-opt %t/placed.mlir --load-dialect-plugin=%fixtures/trial/trial.so --sbp-localize 2>&1 | FileCheck %s --check-prefix=PLACED
// RUN: not sbpc explain %t/placed.mlir --load-dialect-plugin %fixtures/trial/trial.so 2>&1 | FileCheck %s --check-prefix=EXPLAINED
// RUN: not sbp-opt %t/trained.mlir --load-dialect-plugin=%fixtures/trial/trial.so --sbp-differentiate=micro-batches=2 2>&1 | FileCheck %s --check-prefix=TRAINED

// An op that builds no local form, or a wrong one, is refused where it is asked for it: by the
// search, which prices forms of several mesh axes, for placed text, and for micro-batches.

//--- axes.mlir

// On one axis the form is right.
// AXES: axes.mlir:{{[0-9]+}}:8: error: 'trial.slicing' op cannot run by the signature {{.*}} on rank 3 of 4: has a buildCommunicating that returns 0 values, but has 1 result
// AXES-NOT: error:
sbp.machine @grid [#sbp.level<"host" x 2, alpha = 2.0e-5, beta = 8.0e-11>,
                   #sbp.level<"gpu" x 2, alpha = 5.0e-6, beta = 5.0e-12>]
func.func @f(%x: tensor<8xf32> {nn.input = "x"}) -> (tensor<8xf32> {nn.output = "y"}) {
  %y = trial.slicing %x : (tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}

//--- placed.mlir

// PLACED: error: 'trial.slicing' op has a buildCommunicating that returns 0 values, but has 1 result
// EXPLAINED: error: 'trial.slicing' op cannot run by the signature (B) -> (S(0)); (B) -> (B) on rank 3 of 4: has a buildCommunicating that returns 0 values, but has 1 result
// EXPLAINED-NOT: error:
!all = tensor<8xf32, #sbp.nd<@grid, [B, B]>>
!part = tensor<8xf32, #sbp.nd<@grid, [S(0), B]>>
sbp.machine @grid [#sbp.level<"host" x 2, alpha = 2.0e-5, beta = 8.0e-11>,
                   #sbp.level<"gpu" x 2, alpha = 5.0e-6, beta = 5.0e-12>]
func.func @f(%x: !all {nn.input = "x"}) -> (!part {nn.output = "y"}) {
  %y = trial.slicing %x : (!all) -> !part
  return %y : !part
}

//--- trained.mlir

// TRAINED: error: 'trial.unbuilt' op has a buildLocal that returns no op; it must return the op of this part
// TRAINED-NOT: error:
nn.parameter @w : tensor<8xf32> = #nn.zeros
func.func @loss(%x: tensor<4x8xf32> {nn.input = "x"}) -> (tensor<f32> {nn.output = "loss"})
    attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<8xf32>
  %h = trial.unbuilt %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = nn.einsum "bi,i->bi" %h, %w : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  %loss = nn.mse %y, %x : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}
