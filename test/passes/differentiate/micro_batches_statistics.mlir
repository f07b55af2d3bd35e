// RUN: sbp-opt %s --sbp-differentiate=micro-batches=2 2>&1 | FileCheck %s

// Batch normalisation uses the statistics of a micro-batch, and a remark says so. If a
// function gets the mean from another function, as a stage does, it gets its term of the
// mean over the batch, multiplied by the number of micro-batches.

//       CHECK: remark: takes the mean and variance of the 3 samples of a micro-batch, not of all 6
//   CHECK-NOT: remark
// CHECK-LABEL: func.func private @mean.part(
//       CHECK:   nn.reduce mean %x over [0] {count = 6 : i64} : tensor<3x4xf32> -> tensor<4xf32>
// CHECK-LABEL: func.func private @normalised.part(
//       CHECK:   %[[TWO:.*]] = nn.constant dense<2.000000e+00>
//       CHECK:   %[[MEAN:.*]] = nn.mul %[[TWO]], %mean
//       CHECK:   %[[VARIANCE:.*]] = nn.batch_variance %x, %[[MEAN]]
//       CHECK:   nn.batch_norm %x, %[[MEAN]], %[[VARIANCE]],
nn.parameter @gain : tensor<4xf32> = #nn.ones
nn.parameter @shift : tensor<4xf32> = #nn.zeros
func.func private @mean(%x: tensor<6x4xf32>) -> tensor<4xf32> {
  %mean = nn.reduce mean %x over [0] : tensor<6x4xf32> -> tensor<4xf32>
  return %mean : tensor<4xf32>
}
func.func private @normalised(%x: tensor<6x4xf32>, %mean: tensor<4xf32>, %gain: tensor<4xf32>,
    %shift: tensor<4xf32>) -> tensor<6x4xf32> {
  %variance = nn.batch_variance %x, %mean : (tensor<6x4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %y = nn.batch_norm %x, %mean, %variance, %gain, %shift
     : (tensor<6x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
     -> tensor<6x4xf32>
  return %y : tensor<6x4xf32>
}
func.func @loss(%x: tensor<6x4xf32> {nn.input = "x"}) -> (tensor<f32> {nn.output = "loss"})
    attributes {nn.optimizer = #nn.sgd} {
  %gain = nn.get @gain : tensor<4xf32>
  %shift = nn.get @shift : tensor<4xf32>
  %mean = call @mean(%x) : (tensor<6x4xf32>) -> tensor<4xf32>
  %y = call @normalised(%x, %mean, %gain, %shift)
     : (tensor<6x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<6x4xf32>
  %l = nn.mse %y, %x : (tensor<6x4xf32>, tensor<6x4xf32>) -> tensor<f32>
  return %l : tensor<f32>
}
