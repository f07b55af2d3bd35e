// RUN: split-file %s %t
// RUN: sbp-opt %t/extents.mlir --sbp-differentiate="micro-batches=2" | FileCheck %t/extents.mlir
// RUN: sbp-opt %t/merged.mlir --sbp-differentiate="micro-batches=2" | FileCheck %t/merged.mlir
// RUN: sbp-opt %t/cell.mlir --sbp-differentiate="micro-batches=2" | FileCheck %t/cell.mlir
// RUN: sbp-opt %t/positions.mlir --sbp-differentiate="micro-batches=2" | FileCheck %t/positions.mlir
// RUN: sbp-opt %t/per_sample.mlir --sbp-differentiate="micro-batches=2" | FileCheck %t/per_sample.mlir

// The extent of the batch becomes that of a micro-batch wherever it occurs.

//--- extents.mlir

// CHECK-LABEL: func.func private @loss.part(
//   CHECK-NOT:   6x
//   CHECK-DAG:   nn.slice %{{.*}} [0, 2] [3, 2] : tensor<3x4xf32> -> tensor<3x2xf32>
//   CHECK-DAG:   nn.constant dense<1.000000e+00> : tensor<3x2xf32>
//   CHECK-DAG:   nn.broadcast %{{.*}} -> tensor<3x2xf32>
//   CHECK-DAG:   nn.iota dim 1 : () -> tensor<3x2xf32>
//       CHECK:   return
nn.parameter @w : tensor<2xf32> = #nn.normal<0.5>
func.func @loss(%x: tensor<6x4xf32> {nn.input = "x"}) -> (tensor<f32> {nn.output = "loss"})
    attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<2xf32>
  %slice = nn.slice %x [0, 2] [6, 2] : tensor<6x4xf32> -> tensor<6x2xf32>
  %one = nn.constant dense<1.0> : tensor<6x2xf32>
  %repeated = nn.broadcast %w : tensor<2xf32> -> tensor<6x2xf32>
  %column = nn.iota dim 1 : () -> tensor<6x2xf32>
  %a = nn.add %slice, %one : (tensor<6x2xf32>, tensor<6x2xf32>) -> tensor<6x2xf32>
  %b = nn.mul %a, %repeated : (tensor<6x2xf32>, tensor<6x2xf32>) -> tensor<6x2xf32>
  %c = nn.mul %b, %column : (tensor<6x2xf32>, tensor<6x2xf32>) -> tensor<6x2xf32>
  %l = nn.reduce mean %c over [0, 1] : tensor<6x2xf32> -> tensor<f32>
  return %l : tensor<f32>
}

//--- merged.mlir

// The 24 labels are 4 for each of 6 samples, as a sample has 4 tokens; a micro-batch takes
// those of its samples. Indices along samples are those of the batch.

// CHECK-LABEL: func.func @loss(
//       CHECK:   nn.reshape %tokens : tensor<6x4xi32> -> tensor<3x2x4xi32>
//       CHECK:   nn.reshape %labels : tensor<24xi32> -> tensor<3x2x4xi32>
// CHECK-LABEL: func.func private @loss.part(
//       CHECK:   %[[OWN:.*]] = nn.part %{{.*}} of %labels dim 1 : {{.*}} -> tensor<3x4xi32>
//       CHECK:   %[[LABELS:.*]] = nn.reshape %[[OWN]] : tensor<3x4xi32> -> tensor<12xi32>
//       CHECK:   %[[ALL:.*]] = nn.reshape %{{.*}} : tensor<24x1xf32> -> tensor<3x2x4x1xf32>
//       CHECK:   nn.part %{{.*}} of %[[ALL]] dim 1
//       CHECK:   nn.cross_entropy %{{.*}}, %[[LABELS]] {count = 24 : i64}
nn.parameter @table : tensor<5x7xf32> = #nn.normal<0.5>
func.func @loss(%tokens: tensor<6x4xi32> {nn.input = "tokens"}, %labels: tensor<24xi32> {nn.input = "labels"})
    -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.sgd} {
  %table = nn.get @table : tensor<5x7xf32>
  %h = nn.embedding %table, %tokens : (tensor<5x7xf32>, tensor<6x4xi32>) -> tensor<6x4x7xf32>
  %logits = nn.reshape %h : tensor<6x4x7xf32> -> tensor<24x7xf32>
  %number = nn.iota dim 0 : () -> tensor<24x1xf32>
  %scaled = nn.mul %logits, %number : (tensor<24x7xf32>, tensor<24x1xf32>) -> tensor<24x7xf32>
  %l = nn.cross_entropy %scaled, %labels : (tensor<24x7xf32>, tensor<24xi32>) -> tensor<f32>
  return %l : tensor<f32>
}

//--- cell.mlir

// The state of a recurrence begins with zeros of the batch's extent; the first call of the
// cell has the same types as the others.

//     CHECK: func.func private @cell.part(%x: tensor<3x4xf32>, %state: tensor<3x4xf32>,
// CHECK-NOT: func.func private @cell
//     CHECK: func.func private @loss.part(
//     CHECK:   %[[ZERO:.*]] = nn.constant dense<0.000000e+00> : tensor<3x4xf32>
//     CHECK:   %[[FIRST:.*]] = call @cell.part(%{{.*}}, %[[ZERO]],
//     CHECK:   call @cell.part(%{{.*}}, %[[FIRST]],
nn.parameter @w : tensor<4x4xf32> = #nn.normal<0.5> {frozen}
nn.parameter @scale : tensor<f32> = #nn.ones
func.func private @cell(%x: tensor<6x4xf32>, %state: tensor<6x4xf32>, %w: tensor<4x4xf32>) -> tensor<6x4xf32> {
  %h = nn.einsum "bi,ij->bj" %state, %w : (tensor<6x4xf32>, tensor<4x4xf32>) -> tensor<6x4xf32>
  %y = nn.add %x, %h : (tensor<6x4xf32>, tensor<6x4xf32>) -> tensor<6x4xf32>
  return %y : tensor<6x4xf32>
}
func.func @loss(%x: tensor<6x4xf32> {nn.input = "x"})
    -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<4x4xf32>
  %scale = nn.get @scale : tensor<f32>
  %zero = nn.constant dense<0.0> : tensor<6x4xf32>
  %a = call @cell(%x, %zero, %w) : (tensor<6x4xf32>, tensor<6x4xf32>, tensor<4x4xf32>) -> tensor<6x4xf32>
  %b = call @cell(%x, %a, %w) : (tensor<6x4xf32>, tensor<6x4xf32>, tensor<4x4xf32>) -> tensor<6x4xf32>
  %scaled = nn.mul %b, %scale : (tensor<6x4xf32>, tensor<f32>) -> tensor<6x4xf32>
  %l = nn.reduce mean %scaled over [0, 1] : tensor<6x4xf32> -> tensor<f32>
  return %l : tensor<f32>
}

//--- positions.mlir

// Attention over 4 positions mixes them, so they are no samples: every micro-batch has all.

// CHECK-LABEL: func.func private @loss.part(%x: tensor<3x2x4x1x4xf32>, %positions: tensor<4xf32>,
nn.parameter @w : tensor<f32> = #nn.ones
func.func @loss(%x: tensor<6x4x1x4xf32> {nn.input = "x"}, %positions: tensor<4xf32> {nn.input = "positions"})
    -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<f32>
  %column = nn.reshape %positions : tensor<4xf32> -> tensor<4x1x1xf32>
  %y = nn.add %x, %column : (tensor<6x4x1x4xf32>, tensor<4x1x1xf32>) -> tensor<6x4x1x4xf32>
  %z = nn.mul %y, %w : (tensor<6x4x1x4xf32>, tensor<f32>) -> tensor<6x4x1x4xf32>
  %p = nn.softmax %z dim 1 : tensor<6x4x1x4xf32>
  %l = nn.reduce mean %p over [0, 1, 2, 3] : tensor<6x4x1x4xf32> -> tensor<f32>
  return %l : tensor<f32>
}

//--- per_sample.mlir

// A parameter with one element per sample is trained by the micro-batch of the sample.

// CHECK-LABEL: func.func private @train_step.part(
//       CHECK:   %[[W:.*]] = nn.reshape %w {{.*}}: tensor<6x4xf32> -> tensor<3x2x4xf32>
//       CHECK:   nn.part %{{.*}} of %[[W]] dim 1
//       CHECK:   nn.select
nn.parameter @w : tensor<6x4xf32> = #nn.normal<0.02>
func.func @loss(%x: tensor<6x4xf32> {nn.input = "x"})
    -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<6x4xf32>
  %y = nn.mul %x, %w : (tensor<6x4xf32>, tensor<6x4xf32>) -> tensor<6x4xf32>
  %l = nn.reduce mean %y over [0, 1] : tensor<6x4xf32> -> tensor<f32>
  return %l : tensor<f32>
}
