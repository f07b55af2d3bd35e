// RUN: split-file %s %t
// RUN: not sbp-opt %t/boxed.mlir --sbp-verify-logical 2>&1 | FileCheck %s --check-prefix=LOGICAL
// RUN: not sbp-opt %t/trained.mlir --sbp-verify-differentiated 2>&1 | FileCheck %s --check-prefix=DIFFERENTIATED
// RUN: not sbp-opt %t/unplaced.mlir --sbp-verify-placed 2>&1 | FileCheck %s --check-prefix=PLACED
// RUN: not sbp-opt %t/axes.mlir --sbp-verify-placed 2>&1 | FileCheck %s --check-prefix=AXES
// RUN: not sbp-opt %t/pinned.mlir --sbp-verify-placed 2>&1 | FileCheck %s --check-prefix=PINNED
// RUN: not sbp-opt %t/pinned.mlir --sbp-verify-boxed 2>&1 | FileCheck %s --check-prefix=PINNED
// RUN: not sbp-opt %t/pinned_local.mlir --sbp-verify-local 2>&1 | FileCheck %s --check-prefix=PINNED-LOCAL
// RUN: not sbp-opt %t/uneven.mlir --sbp-verify-placed 2>&1 | FileCheck %s --check-prefix=UNEVEN
// RUN: not sbp-opt %t/cast.mlir --sbp-verify-boxed 2>&1 | FileCheck %s --check-prefix=BOXED
// RUN: not sbp-opt %t/missing.mlir --sbp-verify-local 2>&1 | FileCheck %s --check-prefix=LOCAL
// RUN: not sbp-opt %t/recursive.mlir --sbp-verify-logical 2>&1 | FileCheck %s --check-prefix=RECURSIVE

//--- pinned.mlir
sbp.machine @m [#sbp.level<"gpu" x 4, alpha = 1.0e-6, beta = 1.0e-10>]
func.func @f(%x: tensor<4xf32, #sbp.nd<@m, [B]>>) -> tensor<4xf32, #sbp.nd<@m, [B]>> {
  // PINNED: 'nn.relu' op is pinned to #sbp.signature<[(S(0)) -> (S(0))]>, but is placed already in the {{placed|boxed}} form
  %y = nn.relu %x {sbp.signature = #sbp.signature<[(S(0)) -> (S(0))]>} : tensor<4xf32, #sbp.nd<@m, [B]>>
  return %y : tensor<4xf32, #sbp.nd<@m, [B]>>
}

//--- pinned_local.mlir
sbp.machine @m [#sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-10>]
rank.program @all on @m ranks [0, 1] {
  func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
    // PINNED-LOCAL: 'nn.relu' op is pinned to #sbp.signature<[(S(0)) -> (S(0))]>, but is placed already in the local form
    %y = nn.relu %x {sbp.signature = #sbp.signature<[(S(0)) -> (S(0))]>} : tensor<4xf32>
    return %y : tensor<4xf32>
  }
}

//--- boxed.mlir
sbp.machine @m [#sbp.level<"gpu" x 4, alpha = 1.0e-6, beta = 1.0e-10>]
func.func @f(%x: tensor<4xf32, #sbp.nd<@m, [B]>>) {
  // LOGICAL: 'sbp.box' op does not belong in the logical form
  %y = sbp.box %x : tensor<4xf32, #sbp.nd<@m, [B]>> to tensor<4xf32, #sbp.nd<@m, [S(0)]>>
  return
}

//--- trained.mlir
// DIFFERENTIATED: 'func.func' op is still to be differentiated
func.func @loss(%x: tensor<f32>) -> tensor<f32> attributes {nn.optimizer = #nn.sgd} {
  return %x : tensor<f32>
}

//--- unplaced.mlir
sbp.machine @m [#sbp.level<"gpu" x 4, alpha = 1.0e-6, beta = 1.0e-10>]
// PLACED: has the type 'tensor<4xf32>', which carries no placement
func.func @f(%x: tensor<4xf32>) {
  return
}

//--- axes.mlir
sbp.machine @m [#sbp.level<"gpu" x 4, alpha = 1.0e-6, beta = 1.0e-10>]
// AXES: has a placement of 2 components, but @m has 1 axes
func.func @f(%x: tensor<4xf32, #sbp.nd<@m, [B, B]>>) {
  return
}

//--- uneven.mlir
sbp.machine @m [#sbp.level<"gpu" x 4, alpha = 1.0e-6, beta = 1.0e-10>]
func.func @f(%x: tensor<6x2xf32, #sbp.nd<@m, [S(0)]>>) {
  // UNEVEN: splits an extent of 6 over 4 devices, but must split it into equal parts
  %y = nn.reshape %x : tensor<6x2xf32, #sbp.nd<@m, [S(0)]>> -> tensor<12xf32, #sbp.nd<@m, [S(0)]>>
  return
}

//--- cast.mlir
sbp.machine @m [#sbp.level<"gpu" x 4, alpha = 1.0e-6, beta = 1.0e-10>]
func.func @f(%x: tensor<4xf32, #sbp.nd<@m, [B]>>) {
  // BOXED: 'sbp.cast' op does not belong in the boxed form
  %y = sbp.cast %x : tensor<4xf32, #sbp.nd<@m, [B]>> to tensor<4xf32, #sbp.nd<@m, [S(0)]>>
  return
}

//--- missing.mlir
// LOCAL: no rank program lists rank 3 of @m, which has 4
sbp.machine @m [#sbp.level<"gpu" x 4, alpha = 1.0e-6, beta = 1.0e-10>]
rank.program @some on @m ranks [0, 1, 2] {
}

//--- recursive.mlir
func.func private @g(%x: tensor<4xf32>) -> tensor<4xf32> {
  // RECURSIVE: makes @{{f|g}} call itself; a layer must not be recursive
  %y = call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = call @g(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
