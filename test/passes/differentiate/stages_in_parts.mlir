// RUN: sbp-opt %s --sbp-differentiate=micro-batches=2 | FileCheck %s

// The functions that the loss of a micro-batch calls are forward passes of a pipeline, and
// so is, in the training step, a stage that depends on no parameter.

nn.parameter @w : tensor<4x4xf32> = #nn.normal<0.02>

// CHECK-LABEL: func.func private @stage0.part(
//  CHECK-SAME:     attributes {sbp.kind = #sbp.kind<F>, sbp.stage = 0 : i64}
func.func private @stage0(%x: tensor<2x4xf32>) -> tensor<2x4xf32> attributes {sbp.stage = 0} {
  %y = nn.tanh %x : tensor<2x4xf32>
  return %y : tensor<2x4xf32>
}

// CHECK-LABEL: func.func private @stage1.part(
//  CHECK-SAME:     attributes {sbp.kind = #sbp.kind<F>, sbp.stage = 1 : i64}
// CHECK-LABEL: func.func private @stage1.part.forward(
//  CHECK-SAME:     attributes {sbp.kind = #sbp.kind<F>, sbp.stage = 1 : i64}
// CHECK-LABEL: func.func private @stage1.part.backward(
//  CHECK-SAME:     attributes {sbp.kind = #sbp.kind<B>, sbp.stage = 1 : i64}
func.func private @stage1(%x: tensor<2x4xf32>, %w: tensor<4x4xf32>) -> tensor<f32> attributes {sbp.stage = 1} {
  %y = nn.einsum "bi,ij->bj" %x, %w : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  %loss = nn.reduce sum %y over [0, 1] : tensor<2x4xf32> -> tensor<f32>
  return %loss : tensor<f32>
}

// CHECK-LABEL: func.func private @train_step.part(
//       CHECK:   call @stage0.part(
//       CHECK:   call @stage1.part.forward(
// CHECK-LABEL: func.func private @loss.part(
//       CHECK:   call @stage0.part(
//       CHECK:   call @stage1.part(
func.func @loss(%x: tensor<2x4xf32> {nn.input = "x"}) -> tensor<f32> attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<4x4xf32>
  %h = call @stage0(%x) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %loss = call @stage1(%h, %w) : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}
