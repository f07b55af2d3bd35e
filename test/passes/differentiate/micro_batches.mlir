// RUN: split-file %s %t
// RUN: sbp-opt %t/mean.mlir --sbp-differentiate="micro-batches=3" | FileCheck %t/mean.mlir
// RUN: sbp-opt %t/sum.mlir --sbp-differentiate="micro-batches=2" | FileCheck %t/sum.mlir
// RUN: sbp-opt %t/pinned.mlir --sbp-differentiate="micro-batches=2" | FileCheck %t/pinned.mlir
// RUN: sbp-opt %t/quotient.mlir --sbp-differentiate="micro-batches=2" | FileCheck %t/quotient.mlir
// RUN: sbp-opt %t/root.mlir --sbp-differentiate="micro-batches=2" | FileCheck %t/root.mlir
// RUN: sbp-opt %t/penalty.mlir --sbp-differentiate="micro-batches=2" | FileCheck %t/penalty.mlir
// RUN: sbp-opt %t/quotients.mlir --sbp-differentiate="micro-batches=2" | FileCheck %t/quotients.mlir
// RUN: sbp-opt %t/vector.mlir --sbp-differentiate="micro-batches=2" | FileCheck %t/vector.mlir
// RUN: sbp-opt %t/unused.mlir --sbp-differentiate="micro-batches=2" | FileCheck %t/unused.mlir
// RUN: sbp-opt %t/unweighted.mlir --sbp-differentiate="micro-batches=2" | FileCheck %t/unweighted.mlir

// A batch in micro-batches becomes one repeated function, which takes the sums so far, and
// one update step of the optimiser.

//--- mean.mlir

// A mean divides by the samples of the whole batch, so the means of micro-batches add up.
// Parameters are read once; the layer has a third of the samples.

// CHECK-LABEL: func.func private @layer.part.forward(
//  CHECK-SAME:   %{{.*}}: tensor<2x4xf32>, %{{.*}}: tensor<4x5xf32>
//   CHECK-NOT: func.func private @layer(
// CHECK-LABEL: func.func @loss(%x: tensor<6x4xf32>
//       CHECK:   %[[SUM:.*]] = nn.repeat 3 @loss.part(
//       CHECK:   return %[[SUM]]
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
//       CHECK:   %[[TERM:.*]] = nn.reduce mean {{.*}} {count = 30 : i64
//       CHECK:   %[[L:.*]] = nn.add %[[LOSS]], %[[TERM]]
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

// A sum over samples is a sum over micro-batches, and so is a linear function of it.

// CHECK-LABEL: func.func private @train_step.part(
//       CHECK:   %[[SUMS:.*]] = nn.reduce sum %{{.*}} over [0]{{.*}} : tensor<3x4xf32> -> tensor<4xf32>
//       CHECK:   nn.mul %[[SUMS]], %{{.*}} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
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

// A pin of an input does not apply to the parts that are cut from it.

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

//--- quotient.mlir

// Both sums are known only after all micro-batches have added their terms. The division, in
// a layer, and the common factor of all gradients come after them.

// CHECK-LABEL: func.func private @weighted.part(
//   CHECK-NOT:   nn.div
// CHECK-LABEL: func.func @loss(
//       CHECK:   %[[SUMS:.*]]:2 = nn.repeat 2 @loss.part(
//       CHECK:   %[[MEAN:.*]] = nn.div %[[SUMS]]#0, %[[SUMS]]#1
//       CHECK:   return %[[MEAN]]
// CHECK-LABEL: func.func @train_step(
//       CHECK:   %[[ALL:.*]]:3 = nn.repeat 2 @train_step.part(
//       CHECK:   %[[MEAN:.*]] = nn.div %[[ALL]]#0, %[[ALL]]#1
//       CHECK:   %[[FACTOR:.*]] = nn.div %{{.*}}, %[[ALL]]#1
//       CHECK:   %[[GRADIENT:.*]] = nn.mul %[[FACTOR]], %[[ALL]]#2
//       CHECK:   nn.sgd %{{.*}}, %[[GRADIENT]],
//       CHECK:   return %[[MEAN]]
nn.parameter @w : tensor<4xf32> = #nn.normal<0.02>
func.func private @weighted(%y: tensor<6x4xf32>, %weight: tensor<6x1xf32>) -> tensor<f32> {
  %z = nn.mul %y, %weight : (tensor<6x4xf32>, tensor<6x1xf32>) -> tensor<6x4xf32>
  %sum = nn.reduce sum %z over [0, 1] : tensor<6x4xf32> -> tensor<f32>
  %count = nn.reduce sum %weight over [0, 1] : tensor<6x1xf32> -> tensor<f32>
  %mean = nn.div %sum, %count : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %mean : tensor<f32>
}
func.func @loss(%x: tensor<6x4xf32> {nn.input = "x"}, %weight: tensor<6x1xf32> {nn.input = "weight"})
    -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<4xf32>
  %y = nn.mul %x, %w : (tensor<6x4xf32>, tensor<4xf32>) -> tensor<6x4xf32>
  %l = call @weighted(%y, %weight) : (tensor<6x4xf32>, tensor<6x1xf32>) -> tensor<f32>
  return %l : tensor<f32>
}

//--- root.mlir

// The same holds for the root of a mean, and for terms added to it.

// CHECK-LABEL: func.func @train_step(
//       CHECK:   %[[ALL:.*]]:2 = nn.repeat 2 @train_step.part(
//       CHECK:   %[[ROOT:.*]] = nn.sqrt %[[ALL]]#0
//       CHECK:   nn.get @w
//       CHECK:   %[[LOSS:.*]] = nn.add %[[ROOT]],
//       CHECK:   nn.mul %{{.*}}, %[[ALL]]#1
//       CHECK:   return %[[LOSS]]
nn.parameter @w : tensor<4xf32> = #nn.normal<0.02>
func.func @loss(%x: tensor<6x4xf32> {nn.input = "x"})
    -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<4xf32>
  %y = nn.mul %x, %w : (tensor<6x4xf32>, tensor<4xf32>) -> tensor<6x4xf32>
  %l = nn.mse %y, %x : (tensor<6x4xf32>, tensor<6x4xf32>) -> tensor<f32>
  %root = nn.sqrt %l : tensor<f32>
  %penalty = nn.einsum "i,i->" %w, %w : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  %both = nn.add %root, %penalty : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %both : tensor<f32>
}

//--- penalty.mlir

// A term without samples is divided by the number of micro-batches.

// CHECK-LABEL: func.func private @train_step.part(
//       CHECK:   %[[SUM:.*]] = nn.reduce sum %{{.*}} over [0, 1]
//       CHECK:   %[[PENALTY:.*]] = nn.reduce sum %{{.*}} over [0]
//       CHECK:   %[[HALF:.*]] = nn.constant dense<5.000000e-01>
//       CHECK:   %[[SHARE:.*]] = nn.mul %[[HALF]], %[[PENALTY]]
//       CHECK:   nn.add %[[SUM]], %[[SHARE]]
nn.parameter @w : tensor<4xf32> = #nn.normal<0.02>
func.func @loss(%x: tensor<6x4xf32> {nn.input = "x"})
    -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<4xf32>
  %y = nn.mul %x, %w : (tensor<6x4xf32>, tensor<4xf32>) -> tensor<6x4xf32>
  %l = nn.reduce sum %y over [0, 1] : tensor<6x4xf32> -> tensor<f32>
  %penalty = nn.reduce sum %w over [0] : tensor<4xf32> -> tensor<f32>
  %both = nn.add %l, %penalty : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %both : tensor<f32>
}

//--- quotients.mlir

// A loss that is linear in several sums: what their factors depend on is added up first, by
// a function that takes what it needs of the inputs and no parameters.

// CHECK-LABEL: func.func @loss(
//       CHECK:   %[[SUMS:.*]]:3 = nn.repeat 2 @loss.part(
//       CHECK:   %[[MEAN:.*]] = nn.div %[[SUMS]]#0, %[[SUMS]]#1
//       CHECK:   nn.sub %[[MEAN]], %[[SUMS]]#2
// CHECK-LABEL: func.func @train_step(
//       CHECK:   %[[WEIGHTS:.*]] = nn.reshape %weight
//       CHECK:   %[[COUNT:.*]] = nn.repeat 2 @train_step.counts(%[[WEIGHTS]])
//   CHECK-DAG:   %[[FIRST:.*]] = nn.div %[[ONE:.*]], %[[COUNT]]
//   CHECK-DAG:   %[[SECOND:.*]] = nn.neg %[[ONE]]
//       CHECK:   %[[ALL:.*]]:4 = nn.repeat 2 @train_step.part(%{{.*}}, %{{.*}}, %{{.*}}, %[[FIRST]], %[[SECOND]])
//       CHECK:   %[[MEAN:.*]] = nn.div %[[ALL]]#0, %[[ALL]]#1
//       CHECK:   %[[LOSS:.*]] = nn.sub %[[MEAN]], %[[ALL]]#2
//       CHECK:   nn.sgd %{{.*}}, %[[ALL]]#3,
//       CHECK:   return %[[LOSS]]
// CHECK-LABEL: func.func private @train_step.counts(
//  CHECK-SAME:   %[[WEIGHTS:[^:]*]]: tensor<3x2x1xf32>, %[[SUM:[^:]*]]: tensor<f32>) -> tensor<f32>
//       CHECK:   %[[TERM:.*]] = nn.reduce sum
//  CHECK-NEXT:   nn.add %[[SUM]], %[[TERM]]
//  CHECK-NEXT:   return
nn.parameter @w : tensor<4xf32> = #nn.normal<0.02>
func.func private @weighted(%y: tensor<6x4xf32>, %weight: tensor<6x1xf32>) -> tensor<f32> {
  %z = nn.mul %y, %weight : (tensor<6x4xf32>, tensor<6x1xf32>) -> tensor<6x4xf32>
  %sum = nn.reduce sum %z over [0, 1] : tensor<6x4xf32> -> tensor<f32>
  %count = nn.reduce sum %weight over [0, 1] : tensor<6x1xf32> -> tensor<f32>
  %mean = nn.div %sum, %count : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %mean : tensor<f32>
}
func.func @loss(%x: tensor<6x4xf32> {nn.input = "x"}, %weight: tensor<6x1xf32> {nn.input = "weight"})
    -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<4xf32>
  %y = nn.mul %x, %w : (tensor<6x4xf32>, tensor<4xf32>) -> tensor<6x4xf32>
  %first = call @weighted(%y, %weight) : (tensor<6x4xf32>, tensor<6x1xf32>) -> tensor<f32>
  %z = nn.tanh %y : tensor<6x4xf32>
  %second = nn.reduce mean %z over [0, 1] : tensor<6x4xf32> -> tensor<f32>
  %l = nn.sub %first, %second : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %l : tensor<f32>
}

//--- vector.mlir

// The derivative by a vector of sums is a vector of factors.

// CHECK-LABEL: func.func @train_step(
//       CHECK:   %[[COUNTS:.*]] = nn.repeat 2 @train_step.counts({{.*}} -> tensor<4xf32>
//       CHECK:   %[[FACTORS:.*]] = nn.div %{{.*}}, %[[COUNTS]]
//       CHECK:   nn.repeat 2 @train_step.part({{.*}}, %[[FACTORS]])
nn.parameter @w : tensor<4xf32> = #nn.normal<0.02>
func.func @loss(%x: tensor<6x4xf32> {nn.input = "x"}, %weights: tensor<6x4xf32> {nn.input = "weights"})
    -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<4xf32>
  %y = nn.mul %x, %w : (tensor<6x4xf32>, tensor<4xf32>) -> tensor<6x4xf32>
  %z = nn.mul %y, %weights : (tensor<6x4xf32>, tensor<6x4xf32>) -> tensor<6x4xf32>
  %sums = nn.reduce sum %z over [0] : tensor<6x4xf32> -> tensor<4xf32>
  %counts = nn.reduce sum %weights over [0] : tensor<6x4xf32> -> tensor<4xf32>
  %means = nn.div %sums, %counts : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %l = nn.reduce sum %means over [0] : tensor<4xf32> -> tensor<f32>
  return %l : tensor<f32>
}

//--- unused.mlir

// Sums on which the loss does not depend are not added up, nor is the loss refused for them.

// CHECK-LABEL: func.func @train_step(
//       CHECK:   %[[ALL:.*]]:2 = nn.repeat 2 @train_step.part(
//       CHECK:   nn.sqrt %[[ALL]]#0
nn.parameter @w : tensor<4xf32> = #nn.normal<0.02>
func.func @loss(%x: tensor<6x4xf32> {nn.input = "x"})
    -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<4xf32>
  %y = nn.mul %x, %w : (tensor<6x4xf32>, tensor<4xf32>) -> tensor<6x4xf32>
  %l = nn.mse %y, %x : (tensor<6x4xf32>, tensor<6x4xf32>) -> tensor<f32>
  %root = nn.sqrt %l : tensor<f32>
  %a = nn.reduce sum %y over [0, 1] : tensor<6x4xf32> -> tensor<f32>
  %z = nn.exp %y : tensor<6x4xf32>
  %b = nn.reduce sum %z over [0, 1] : tensor<6x4xf32> -> tensor<f32>
  %unused = nn.div %a, %b : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %root : tensor<f32>
}

//--- unweighted.mlir

// If no sum depends on parameters, the gradients are those of the rest of the loss.

// CHECK-LABEL: func.func @train_step(
//       CHECK:   %[[SUM:.*]] = nn.repeat 2 @train_step.part(
//       CHECK:   %[[ROOT:.*]] = nn.sqrt %[[SUM]]
//       CHECK:   %[[LOSS:.*]] = nn.mul %[[ROOT]],
//       CHECK:   nn.sgd
//       CHECK:   return %[[LOSS]]
nn.parameter @w : tensor<f32> = #nn.ones
func.func @loss(%x: tensor<6x4xf32> {nn.input = "x"})
    -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<f32>
  %sum = nn.reduce sum %x over [0, 1] : tensor<6x4xf32> -> tensor<f32>
  %root = nn.sqrt %sum : tensor<f32>
  %l = nn.mul %root, %w : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %l : tensor<f32>
}
