// RUN: sbp-opt %s --verify-roundtrip | FileCheck %s

// Missing lists are not printed.
// CHECK-LABEL: @convolution
// CHECK: nn.convolution %{{.*}}, %{{.*}} : (tensor<2x3x8x8xf32>
// CHECK: nn.convolution %{{.*}}, %{{.*}} strides [2, 2] low [1, 0] high [0, 1] dilations [1, 2] :
// CHECK: nn.convolution %{{.*}}, %{{.*}} from %{{.*}}, %{{.*}} in [0, 1] :
func.func @convolution(%x: tensor<2x3x8x8xf32>, %w: tensor<4x3x2x2xf32>, %i: tensor<i64>,
                       %g: tensor<2x4x7x7xf32>) {
  %y = nn.convolution %x, %w
     : (tensor<2x3x8x8xf32>, tensor<4x3x2x2xf32>) -> tensor<2x4x7x7xf32>
  %z = nn.convolution %x, %w strides [2, 2] low [1, 0] high [0, 1] dilations [1, 2]
     : (tensor<2x3x8x8xf32>, tensor<4x3x2x2xf32>) -> tensor<2x4x4x4xf32>
  %part = nn.convolution %x, %w from %i, %i in [0, 1]
     : (tensor<2x3x8x8xf32>, tensor<4x3x2x2xf32>, tensor<i64>, tensor<i64>)
     -> tensor<2x4x3x2xf32>
  %dx = nn.convolution_input_grad %w, %g
     : (tensor<4x3x2x2xf32>, tensor<2x4x7x7xf32>) -> tensor<2x3x8x8xf32>
  %dw = nn.convolution_filter_grad %x, %g
     : (tensor<2x3x8x8xf32>, tensor<2x4x7x7xf32>) -> tensor<4x3x2x2xf32>
  return
}

// CHECK-LABEL: @pool
// CHECK: nn.pool max %{{.*}} over [2, 2] strides [2, 2] :
func.func @pool(%x: tensor<2x3x8x8xf32>, %g: tensor<2x3x4x4xf32>, %i: tensor<i64>) {
  %y = nn.pool max %x over [2, 2] strides [2, 2]
     : (tensor<2x3x8x8xf32>) -> tensor<2x3x4x4xf32>
  %part = nn.pool mean %x over [2, 2] from %i in [1]
     : (tensor<2x3x8x8xf32>, tensor<i64>) -> tensor<2x3x7x5xf32>
  %d = nn.pool_grad max %x, %g over [2, 2] strides [2, 2]
     : (tensor<2x3x8x8xf32>, tensor<2x3x4x4xf32>) -> tensor<2x3x8x8xf32>
  return
}

func.func @batch_norm(%x: tensor<2x3x8xf32>, %v: tensor<3xf32>) {
  %variance = nn.batch_variance %x, %v : (tensor<2x3x8xf32>, tensor<3xf32>) -> tensor<3xf32>
  %y = nn.batch_norm %x, %v, %variance, %v, %v {epsilon = 0.5 : f64}
     : (tensor<2x3x8xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
    -> tensor<2x3x8xf32>
  %p, %s = nn.batch_norm_sums %x, %v, %y
     : (tensor<2x3x8xf32>, tensor<3xf32>, tensor<2x3x8xf32>) -> (tensor<3xf32>, tensor<3xf32>)
  %d = nn.batch_norm_grad %x, %v, %v, %v, %y, %p, %s
     : (tensor<2x3x8xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x3x8xf32>,
        tensor<3xf32>, tensor<3xf32>) -> tensor<2x3x8xf32>
  return
}
