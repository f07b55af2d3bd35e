// RUN: sbp-opt %s --sbp-cut-stages | FileCheck %s
// RUN: sbp-opt %s --sbp-cut-stages > %t
// RUN: sbp-opt %t --sbp-cut-stages | diff %t -

// Each stage becomes a function, called with what it takes; to cut again changes
// nothing.

sbp.machine @host [#sbp.level<"cpu" x 3, alpha = 1.0e-6, beta = 1.0e-9>]
sbp.mesh @front of @host ranks [2, 0] [#sbp.axis<"data" x 2 in "cpu">]
sbp.mesh @back of @host ranks [1] [#sbp.axis<"one" x 1 in "cpu">]
sbp.stages [@front, @back]

nn.parameter @table : tensor<8x8xf32> = #nn.zeros
nn.parameter @w : tensor<8x8xf32> = #nn.zeros

// What carries no stage goes with what it takes: the relu is of stage 0. The shift of
// %x is wanted by stage 1 alone. The table is read for each stage, so that each has a
// gradient of it; the constant is made in both.

// CHECK-LABEL: func.func private @loss.stage0(
//  CHECK-SAME:   %[[X:.*]]: tensor<4x8xf32>, %[[TABLE:.*]]: tensor<8x8xf32>) -> tensor<4x8xf32>
//  CHECK-SAME:   attributes {sbp.stage = 0 : i64}
//       CHECK:   %[[TWO:.*]] = nn.constant
//       CHECK:   nn.einsum "bi,ij->bj" %[[X]], %[[TABLE]]
//       CHECK:   nn.mul
//       CHECK:   nn.relu
//   CHECK-NOT:   nn.add
// CHECK-LABEL: func.func private @loss.stage1(
//  CHECK-SAME:   attributes {sbp.stage = 1 : i64}
//       CHECK:   nn.constant
//       CHECK:   nn.add
//       CHECK:   nn.einsum
//       CHECK:   nn.einsum
//       CHECK:   nn.mse
// CHECK-LABEL: func.func @loss(
//  CHECK-SAME:   %[[X:.*]]: tensor<4x8xf32> {nn.input = "x"}
//       CHECK:   %[[FIRST:.*]] = nn.get @table {sbp.stage = 0 : i64}
//       CHECK:   %[[H:.*]] = call @loss.stage0(%[[X]], %[[FIRST]])
//       CHECK:   %[[SECOND:.*]] = nn.get @table {sbp.stage = 1 : i64}
//       CHECK:   %[[L:.*]] = call @loss.stage1(
//       CHECK:   return %[[L]]
func.func @loss(%x: tensor<4x8xf32> {nn.input = "x"}) -> (tensor<f32> {nn.output = "loss"}) {
  %table = nn.get @table : tensor<8x8xf32>
  %w = nn.get @w : tensor<8x8xf32>
  %two = nn.constant dense<2.0> : tensor<f32>
  %shifted = nn.add %x, %two : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %product = nn.einsum "bi,ij->bj" %x, %table {sbp.stage = 0} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %doubled = nn.mul %product, %two : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %h = nn.relu %doubled : tensor<4x8xf32>
  %next = nn.einsum "bi,ij->bj" %h, %w {sbp.stage = 1} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %y = nn.einsum "bi,ij->bj" %next, %table : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %loss = nn.mse %y, %shifted : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}
