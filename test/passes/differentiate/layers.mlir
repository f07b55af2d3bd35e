// RUN: sbp-opt %s --split-input-file --sbp-differentiate --verify-roundtrip | FileCheck %s

// The forward function returns its results, and the values that only it has and the
// backward function needs: %h. Nothing is computed again. The backward function
// takes these values, and the arguments and results of the layer, which the caller
// has; it makes constants itself.

// CHECK-LABEL: func.func private @layer.forward(
// CHECK-SAME:      %[[X:[^:]*]]: tensor<2x4xf32>, %[[W:[^:]*]]: tensor<4x4xf32> {sbp.pin = #sbp.nd<@m, [B]>})
// CHECK-SAME:      -> (tensor<2x4xf32>, tensor<2x4xf32>)
// CHECK:         %[[H:.*]] = nn.einsum {{.*}} {nn.id = [[$EINSUM:[0-9]+]] : i64}
// CHECK:         nn.silu %[[H]] {nn.id = [[$SILU:[0-9]+]] : i64}
// CHECK:         %[[Y:.*]] = nn.mul
// CHECK:         return %[[Y]], %[[H]]

// CHECK-LABEL: func.func private @layer.backward(
// CHECK-SAME:      %[[H:[^:]*]]: tensor<2x4xf32>, %[[W:[^:]*]]: tensor<4x4xf32> {sbp.pin = #sbp.nd<@m, [B]>}, %[[X:[^:]*]]: tensor<2x4xf32>, %[[G:[^:]*]]: tensor<2x4xf32> {nn.gradient_of = 0 : i64})
// CHECK-SAME:      -> (tensor<2x4xf32> {nn.gradient_of = 0 : i64}, tensor<4x4xf32> {nn.gradient_of = 1 : i64})
// CHECK:         %[[TWO:.*]] = nn.constant dense<2.000000e+00>
// CHECK:         %[[S:.*]] = nn.mul %[[G]], %[[TWO]]
// CHECK:         %[[DH:.*]] = nn.silu_grad %[[H]], %[[S]] {nn.adjoint_of = [[$SILU]] : i64}
// CHECK:         %[[DX:.*]] = nn.einsum "bj,ij->bi" %[[DH]], %[[W]] {nn.adjoint_of = [[$EINSUM]] : i64}
// CHECK:         %[[DW:.*]] = nn.einsum "bi,bj->ij" %[[X]], %[[DH]] {nn.adjoint_of = [[$EINSUM]] : i64}
// CHECK:         return %[[DX]], %[[DW]]
sbp.machine @m [#sbp.level<"core" x 2, alpha = 1.0e-6, beta = 1.0e-10>]
nn.parameter @first : tensor<4x4xf32> = #nn.normal<0.02>
nn.parameter @second : tensor<4x4xf32> = #nn.normal<0.02>
nn.parameter @table : tensor<8x4xf32> = #nn.normal<0.02>
func.func private @layer(%x: tensor<2x4xf32>,
                         %w: tensor<4x4xf32> {sbp.pin = #sbp.nd<@m, [B]>})
    -> tensor<2x4xf32> {
  %h = nn.einsum "bi,ij->bj" %x, %w
     : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  %s = nn.silu %h : tensor<2x4xf32>
  %two = nn.constant dense<2.0> : tensor<f32>
  %y = nn.mul %s, %two : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  return %y : tensor<2x4xf32>
}

// One pair of functions, called twice; the gradients are added in the order of the walk.

// CHECK-LABEL: func.func @train_step(
// CHECK:         %[[FIRST:.*]] = nn.get @first
// CHECK:         %[[SECOND:.*]] = nn.get @second
// CHECK:         %[[E:.*]] = nn.embedding
// CHECK:         %[[H1:.*]]:2 = call @layer.forward(%[[E]], %[[FIRST]]) {nn.id = [[CALL1:[0-9]+]] : i64}
// CHECK:         %[[H2:.*]]:2 = call @layer.forward(%[[H1]]#0, %[[SECOND]]) {nn.id = [[CALL2:[0-9]+]] : i64}
// CHECK:         %[[D2:.*]]:2 = call @layer.backward(%[[H2]]#1, %[[SECOND]], %[[H1]]#0, %{{[^)]*}}) {nn.adjoint_of = [[CALL2]] : i64}
// CHECK:         %[[D1:.*]]:2 = call @layer.backward(%[[H1]]#1, %[[FIRST]], %[[E]], %[[D2]]#0) {nn.adjoint_of = [[CALL1]] : i64}
// CHECK:         nn.embedding_grad %{{.*}}, %[[D1]]#0
// CHECK-NOT:   func.func
func.func @loss(%i: tensor<2xi32> {nn.input = "i"},
                %t: tensor<2x4xf32> {nn.input = "t"}) -> tensor<f32>
    attributes {nn.optimizer = #nn.sgd} {
  %first = nn.get @first : tensor<4x4xf32>
  %second = nn.get @second : tensor<4x4xf32>
  %table = nn.get @table : tensor<8x4xf32>
  %e = nn.embedding %table, %i
     : (tensor<8x4xf32>, tensor<2xi32>) -> tensor<2x4xf32>
  %h1 = call @layer(%e, %first)
      : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  %h2 = call @layer(%h1, %second)
      : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  %loss = nn.mse %h2, %t : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}

// -----

// An entry may be a layer of another one; the pair made from it is no entry.

// CHECK-LABEL: func.func @predict(
// CHECK-LABEL: func.func private @predict.forward(
// CHECK-SAME:      %{{[^:]*}}: tensor<4xf32>) -> tensor<4xf32> {
// CHECK-LABEL: func.func private @predict.backward(
nn.parameter @w : tensor<4xf32> = #nn.ones
func.func @predict(%x: tensor<4xf32> {nn.input = "x"})
    -> (tensor<4xf32> {nn.output = "y"}) {
  %w = nn.get @w : tensor<4xf32>
  %y = nn.mul %x, %w : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func @loss(%x: tensor<4xf32> {nn.input = "x"},
                %t: tensor<4xf32> {nn.input = "t"}) -> tensor<f32>
    attributes {nn.optimizer = #nn.sgd} {
  %y = call @predict(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %loss = nn.mse %y, %t : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}
