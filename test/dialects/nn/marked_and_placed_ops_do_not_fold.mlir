// RUN: sbp-opt %s --canonicalize | FileCheck %s

sbp.machine @m [#sbp.level<"gpu" x 2, alpha = 2.0e-6, beta = 2.0e-10>]

// CHECK-LABEL: func.func @marked
//       CHECK: nn.cast {{.*}} {nn.reduced_in = f32}
//       CHECK: nn.reshape {{.*}} {sbp.stage = 0 : i64}
//       CHECK: nn.neg {{.*}} {nn.id = 3 : i64}
//       CHECK: nn.neg
func.func @marked(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %a = nn.cast %x {nn.reduced_in = f32} : tensor<4xf32> -> tensor<4xf32>
  %b = nn.reshape %x {sbp.stage = 0 : i64} : tensor<4xf32> -> tensor<4xf32>
  %n = nn.neg %x {nn.id = 3 : i64} : tensor<4xf32>
  %c = nn.neg %n : tensor<4xf32>
  return %a, %b, %c : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @unmarked
//  CHECK-SAME: (%[[X:.*]]: tensor<4xf32>)
//  CHECK-NEXT: return %[[X]], %[[X]], %[[X]]
func.func @unmarked(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %a = nn.cast %x : tensor<4xf32> -> tensor<4xf32>
  %b = nn.reshape %x : tensor<4xf32> -> tensor<4xf32>
  %n = nn.neg %x : tensor<4xf32>
  %c = nn.neg %n : tensor<4xf32>
  return %a, %b, %c : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// What two ops can do in parts, one op may not. An op that changes nothing, its placement
// included, is its operand all the same.

!rows = tensor<4x3xf32, #sbp.nd<@m, [S(0)]>>
!all = tensor<12xf32, #sbp.nd<@m, [S(0)]>>
!two = tensor<2x6xf32, #sbp.nd<@m, [S(0)]>>

// CHECK-LABEL: func.func @placed
//  CHECK-SAME: (%[[X:[^:]*]]:
//  CHECK-NEXT: nn.reshape %[[X]]
//  CHECK-NEXT: %[[A:.*]] = nn.reshape
//  CHECK-NEXT: return %[[A]], %[[X]]
func.func @placed(%x: !rows) -> (!two, !rows) {
  %0 = nn.reshape %x : !rows -> !all
  %a = nn.reshape %0 : !all -> !two
  %b = nn.slice %x [0, 0] [4, 3] : !rows -> !rows
  return %a, %b : !two, !rows
}
