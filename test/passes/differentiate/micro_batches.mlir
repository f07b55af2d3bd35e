// RUN: split-file %s %t
// RUN: sbp-opt %t/mean.mlir --sbp-differentiate="micro-batches=3" | FileCheck %t/mean.mlir
// RUN: sbp-opt %t/sum.mlir --sbp-differentiate="micro-batches=2" | FileCheck %t/sum.mlir
// RUN: sbp-opt %t/pinned.mlir --sbp-differentiate="micro-batches=2" | FileCheck %t/pinned.mlir
// RUN: sbp-opt %t/statistics.mlir --sbp-differentiate="micro-batches=2" | FileCheck %t/statistics.mlir
// RUN: sbp-opt %t/errors.mlir --split-input-file --verify-diagnostics --sbp-differentiate="micro-batches=4"

// A batch in parts: one function, repeated, that is given the sums so far; and one step
// of the optimiser.

//--- mean.mlir

// The gradient of a part's loss is one third, and so is what the sum of the losses is
// multiplied by. Parameters are read once; the layer has a third of the samples.

// CHECK-LABEL: func.func private @layer.part.forward(
//  CHECK-SAME:   %{{.*}}: tensor<2x4xf32>, %{{.*}}: tensor<4x5xf32>
//   CHECK-NOT: func.func private @layer(
// CHECK-LABEL: func.func @loss(%x: tensor<6x4xf32>
//       CHECK:   %[[SUM:.*]] = nn.repeat 3 @loss.part(
//       CHECK:   %[[THIRD:.*]] = nn.constant dense<0.333333343>
//       CHECK:   nn.mul %[[THIRD]], %[[SUM]]
// CHECK-LABEL: func.func @train_step(%x: tensor<6x4xf32>
//       CHECK:   %[[PARTS:.*]] = nn.reshape %x : tensor<6x4xf32> -> tensor<2x3x4xf32>
//       CHECK:   %[[W:.*]] = nn.get @w
//       CHECK:   %[[ALL:.*]]:2 = nn.repeat 3 @train_step.part(%[[PARTS]], %[[W]])
//  CHECK-SAME:     (tensor<2x3x4xf32>, tensor<4x5xf32>) -> (tensor<f32>, tensor<4x5xf32>)
//       CHECK:   nn.sgd %[[W]], %[[ALL]]#1,
//   CHECK-NOT:   nn.sgd
// CHECK-LABEL: func.func private @train_step.part(
//  CHECK-SAME:   %[[X:[^:]*]]: tensor<2x3x4xf32>, %[[PW:[^:]*]]: tensor<4x5xf32>,
//  CHECK-SAME:   %[[LOSS:[^:]*]]: tensor<f32>, %[[SUM:[^:]*]]: tensor<4x5xf32>)
//       CHECK:   %[[K:.*]] = nn.repetition
//       CHECK:   %[[PART:.*]] = nn.part %[[K]] of %[[X]] dim 1
//       CHECK:   call @layer.part.forward(%[[PART]], %[[PW]])
//       CHECK:   %[[L:.*]] = nn.add %[[LOSS]],
//       CHECK:   %[[SEED:.*]] = nn.constant dense<0.333333343>
//       CHECK:   %[[G:.*]] = call @layer.part.backward(
//  CHECK-NEXT:   %[[S:.*]] = nn.add %[[SUM]], %[[G]]
//       CHECK:   return %[[L]], %[[S]]
nn.parameter @w : tensor<4x5xf32> = #nn.normal<0.02>
func.func private @layer(%x: tensor<6x4xf32>, %w: tensor<4x5xf32>) -> tensor<6x5xf32> {
  %y = nn.einsum "bi,ij->bj" %x, %w
      : (tensor<6x4xf32>, tensor<4x5xf32>) -> tensor<6x5xf32>
  return %y : tensor<6x5xf32>
}
func.func @loss(%x: tensor<6x4xf32> {nn.input = "x"}) -> (tensor<f32> {nn.output = "loss"})
    attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<4x5xf32>
  %y = call @layer(%x, %w) : (tensor<6x4xf32>, tensor<4x5xf32>) -> tensor<6x5xf32>
  %l = nn.reduce mean %y over [0, 1] : tensor<6x5xf32> -> tensor<f32>
  return %l : tensor<f32>
}

//--- sum.mlir

// A sum over samples is one over parts.

// CHECK-LABEL: func.func @loss(
//   CHECK-NOT:   nn.mul
// CHECK-LABEL: func.func private @train_step.part(
//       CHECK:   nn.constant dense<1.000000e+00>
//   CHECK-NOT:   nn.constant dense<5
//       CHECK:   return
nn.parameter @w : tensor<4xf32> = #nn.normal<0.02>
func.func @loss(%x: tensor<6x4xf32> {nn.input = "x"}) -> (tensor<f32> {nn.output = "loss"})
    attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<4xf32>
  %y = nn.mul %x, %w : (tensor<6x4xf32>, tensor<4xf32>) -> tensor<6x4xf32>
  %sums = nn.reduce sum %y over [0] : tensor<6x4xf32> -> tensor<4xf32>
  %scaled = nn.mul %sums, %w : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %l = nn.reduce sum %scaled over [0] : tensor<4xf32> -> tensor<f32>
  return %l : tensor<f32>
}

//--- pinned.mlir

// A pin says how an input lies, not how the parts do that are cut from it.

//   CHECK-NOT: func.func private @loss.part{{.*}}sbp.pin
// CHECK-LABEL: func.func @loss(
//  CHECK-SAME:   sbp.pin = #sbp.nd<@m, [S(0)]>
// CHECK-LABEL: func.func @train_step(
//  CHECK-SAME:   sbp.pin = #sbp.nd<@m, [S(0)]>
//   CHECK-NOT: sbp.pin
sbp.machine @m [#sbp.level<"gpu" x 2, alpha = 1.0e-7, beta = 1.0e-11>]
nn.parameter @w : tensor<4xf32> = #nn.normal<0.02>
func.func @loss(%x: tensor<6x4xf32> {nn.input = "x", sbp.pin = #sbp.nd<@m, [S(0)]>})
    -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<4xf32>
  %y = nn.mul %x, %w : (tensor<6x4xf32>, tensor<4xf32>) -> tensor<6x4xf32>
  %l = nn.reduce sum %y over [0, 1] : tensor<6x4xf32> -> tensor<f32>
  return %l : tensor<f32>
}

//--- statistics.mlir

// What is reduced and then used beside samples is a statistic of the part.

// CHECK-LABEL: func.func private @loss.part(%x: tensor<3x2x4xf32>
//       CHECK:   %[[PART:.*]] = nn.part %{{.*}} of %x dim 1
//       CHECK:   nn.reduce mean %[[PART]] over [0] : tensor<3x4xf32> -> tensor<4xf32>
nn.parameter @w : tensor<4xf32> = #nn.normal<0.02>
func.func @loss(%x: tensor<6x4xf32> {nn.input = "x"}) -> (tensor<f32> {nn.output = "loss"})
    attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<4xf32>
  %mean = nn.reduce mean %x over [0] : tensor<6x4xf32> -> tensor<4xf32>
  %y = nn.sub %x, %mean : (tensor<6x4xf32>, tensor<4xf32>) -> tensor<6x4xf32>
  %z = nn.mul %y, %w : (tensor<6x4xf32>, tensor<4xf32>) -> tensor<6x4xf32>
  %l = nn.reduce mean %z over [0, 1] : tensor<6x4xf32> -> tensor<f32>
  return %l : tensor<f32>
}

//--- errors.mlir

nn.parameter @w : tensor<4xf32> = #nn.normal<0.02>
// expected-error @below {{4 micro-batches do not divide the 6 samples of the input "x"}}
func.func @loss(%x: tensor<6x4xf32> {nn.input = "x"}) -> (tensor<f32> {nn.output = "loss"})
    attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<4xf32>
  %y = nn.mul %x, %w : (tensor<6x4xf32>, tensor<4xf32>) -> tensor<6x4xf32>
  %l = nn.reduce mean %y over [0, 1] : tensor<6x4xf32> -> tensor<f32>
  return %l : tensor<f32>
}

// -----

nn.parameter @w : tensor<4xf32> = #nn.normal<0.02>
// expected-error @below {{is to be computed in 4 micro-batches, but is neither a mean nor a sum over samples}}
func.func @root_of_a_mean(%x: tensor<8x4xf32> {nn.input = "x"})
    -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<4xf32>
  %y = nn.mul %x, %w : (tensor<8x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
  %l = nn.reduce mean %y over [0, 1] : tensor<8x4xf32> -> tensor<f32>
  %root = nn.sqrt %l : tensor<f32>
  return %root : tensor<f32>
}

// -----

nn.parameter @w : tensor<4xf32> = #nn.normal<0.02>
// expected-error @below {{neither a mean nor a sum}}
func.func @sum_and_penalty(%x: tensor<8x4xf32> {nn.input = "x"})
    -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<4xf32>
  %y = nn.mul %x, %w : (tensor<8x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
  %l = nn.reduce sum %y over [0, 1] : tensor<8x4xf32> -> tensor<f32>
  %penalty = nn.reduce sum %w over [0] : tensor<4xf32> -> tensor<f32>
  %both = nn.add %l, %penalty : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %both : tensor<f32>
}

// -----

nn.parameter @w : tensor<8x4xf32> = #nn.normal<0.02>
// expected-error @below {{cannot be divided into 4 micro-batches: @parameter_per_sample does not go with fewer samples}}
func.func @parameter_per_sample(%x: tensor<8x4xf32> {nn.input = "x"})
    -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<8x4xf32>
  // expected-error @below {{tensor<2x4xf32>}}
  %y = nn.mul %x, %w : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  %l = nn.reduce mean %y over [0, 1] : tensor<8x4xf32> -> tensor<f32>
  return %l : tensor<f32>
}
