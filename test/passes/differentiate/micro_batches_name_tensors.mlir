// RUN: not sbp-opt %s --sbp-differentiate=micro-batches=2 2>&1 | FileCheck %s

// What mixes samples is named as the model names it.

// CHECK: 'nn.sub' op cannot be computed in 2 micro-batches: it combines single samples with %middle, which depends on all 4 samples

nn.parameter @w : tensor<4xf32> = #nn.ones
func.func @loss(%x: tensor<4x4xf32> {nn.input = "x"}) -> (tensor<f32> {nn.output = "loss"})
    attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<4xf32>
  %hidden = nn.mul %x, %w : (tensor<4x4xf32>, tensor<4xf32>) -> tensor<4x4xf32>
  %middle = nn.reduce mean %hidden over [0] : tensor<4x4xf32> -> tensor<4xf32>
  %centred = nn.sub %hidden, %middle : (tensor<4x4xf32>, tensor<4xf32>) -> tensor<4x4xf32>
  %loss = nn.mse %centred, %x : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}
