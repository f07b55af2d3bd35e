// RUN: sbp-opt %s --sbp-differentiate | FileCheck %s

// The gradient through the statistics of the input itself is one op; the statistics
// have no gradients of their own.
// CHECK-LABEL: func.func @train_step
// CHECK: nn.batch_norm_sums
// CHECK: nn.batch_norm_grad
// CHECK-NOT: nn.broadcast
// CHECK: return
nn.parameter @x : tensor<4x3x5xf32> = #nn.normal<1.0>
func.func @loss(%t: tensor<4x3x5xf32> {nn.input = "t"}) -> tensor<f32>
    attributes {nn.optimizer = #nn.sgd} {
  %x = nn.get @x : tensor<4x3x5xf32>
  %one = nn.constant dense<1.0> : tensor<3xf32>
  %mean = nn.reduce mean %x over [0, 2] : tensor<4x3x5xf32> -> tensor<3xf32>
  %variance = nn.batch_variance %x, %mean
            : (tensor<4x3x5xf32>, tensor<3xf32>) -> tensor<3xf32>
  %y = nn.batch_norm %x, %mean, %variance, %one, %one
     : (tensor<4x3x5xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
    -> tensor<4x3x5xf32>
  %loss = nn.mse %y, %t : (tensor<4x3x5xf32>, tensor<4x3x5xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}
