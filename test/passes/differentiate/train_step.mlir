// RUN: sbp-opt %s --split-input-file --sbp-differentiate --verify-roundtrip | FileCheck %s

// The loss, its gradient, and the update, in this order, in one function. The loss
// function stays; its optimizer moves to the step.

// CHECK: nn.parameter @w : tensor<4x3xf32>
// CHECK-LABEL: func.func @loss(
// CHECK-NOT:     nn.optimizer
// CHECK-NOT:     nn.id
// CHECK-LABEL: func.func @train_step(
// CHECK-SAME:      %[[X:[^:]*]]: tensor<2x4xf32> {nn.input = "x"}, %[[T:[^:]*]]: tensor<2x3xf32> {nn.input = "t"}
// CHECK-SAME:      %[[LR:[^:]*]]: tensor<f32> {nn.input = "lr"})
// CHECK-SAME:      -> (tensor<f32> {nn.output = "loss"}) attributes {nn.trained_by = #nn.sgd<momentum = 0.0, weight_decay = 0.0>}
// CHECK:         %[[W:.*]] = nn.get @w
// CHECK:         %[[Y:.*]] = nn.einsum "bi,ij->bj" %[[X]], %[[W]] {nn.id = [[ID:[0-9]+]] : i64}
// CHECK:         %[[LOSS:.*]] = nn.mse
// CHECK:         %[[G:.*]] = nn.mul {{.*}} -> tensor<2x3xf32>
// CHECK:         %[[DW:.*]] = nn.einsum "bi,bj->ij" %[[X]], %[[G]] {nn.adjoint_of = [[ID]] : i64}
// CHECK-NOT:     nn.einsum
// CHECK:         %[[NEW:.*]] = nn.sgd %[[W]], %[[DW]], %[[LR]] {weight_decay = 0.0 : f64}
// CHECK:         nn.set @w, %[[NEW]]
// CHECK:         return %[[LOSS]]
nn.parameter @w : tensor<4x3xf32> = #nn.normal<0.02>
func.func @loss(%x: tensor<2x4xf32> {nn.input = "x"},
                %t: tensor<2x3xf32> {nn.input = "t"}) -> tensor<f32>
    attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<4x3xf32>
  %y = nn.einsum "bi,ij->bj" %x, %w
     : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %loss = nn.mse %y, %t : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}

// -----

// The optimiser's state has the pin of its parameter, or its own pin.

// CHECK:      nn.parameter @w : tensor<4xf32>
// CHECK-NEXT: nn.parameter @w.first_moment : tensor<4xf32> = #nn.zeros {sbp.pin = #B_m, state}
// CHECK-NEXT: nn.parameter @w.second_moment : tensor<4xf32> = #nn.zeros {sbp.pin = #B_m, state}
// CHECK-NEXT: nn.parameter @v : tensor<4xf32>
// CHECK-NEXT: nn.parameter @v.first_moment : tensor<4xf32> = #nn.zeros {sbp.pin = #S0_m, state}
// CHECK-NEXT: nn.parameter @v.second_moment : tensor<4xf32> = #nn.zeros {sbp.pin = #S0_m, state}
// CHECK-NEXT: nn.parameter @adam.first_correction : tensor<f32> = #nn.zeros {state}
// CHECK-NEXT: nn.parameter @adam.second_correction : tensor<f32> = #nn.zeros {state}
// CHECK-LABEL: func.func @train_step(
// CHECK:         nn.set @adam.first_correction
// CHECK:         nn.set @adam.second_correction
// CHECK-COUNT-2: nn.adam decoupled
sbp.machine @m [#sbp.level<"core" x 2, alpha = 1.0e-6, beta = 1.0e-10>]
nn.parameter @w : tensor<4xf32> = #nn.zeros {sbp.pin = #sbp.nd<@m, [B]>}
nn.parameter @v : tensor<4xf32> = #nn.zeros
    {sbp.pin = #sbp.nd<@m, [B]>, sbp.state_pin = #sbp.nd<@m, [S(0)]>}
func.func @loss() -> tensor<f32> attributes {nn.optimizer = #nn.adamw} {
  %w = nn.get @w : tensor<4xf32>
  %v = nn.get @v : tensor<4xf32>
  %loss = nn.mse %w, %v : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}

// -----

// The gradient has the pin of the value, and is Broadcast if that is Partial.

// CHECK-LABEL: func.func @train_step(
// CHECK:         sbp.pin {{.*}} {nn.id = [[PIN:[0-9]+]] : i64} {{.*}} to #S0_Psum_m
// CHECK:         sbp.pin {{.*}} {nn.adjoint_of = [[PIN]] : i64} {{.*}} to #S0_B_m
// CHECK:         nn.sgd
sbp.machine @m [#sbp.level<"node" x 2, alpha = 1.0e-5, beta = 1.0e-9>,
                #sbp.level<"core" x 2, alpha = 1.0e-6, beta = 1.0e-10>]
nn.parameter @w : tensor<4xf32> = #nn.zeros
func.func @loss(%x: tensor<4xf32> {nn.input = "x"}) -> tensor<f32>
    attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<4xf32>
  %p = sbp.pin %w : tensor<4xf32> to #sbp.nd<@m, [S(0), P(sum)]>
  %loss = nn.mse %p, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}

// -----

// A module without a function to train is not changed.

// CHECK-LABEL: func.func @predict
// CHECK-NOT:   func.func
func.func @predict(%x: tensor<4xf32> {nn.input = "x"})
    -> (tensor<4xf32> {nn.output = "y"}) {
  %y = nn.relu %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
