// RUN: sbp-opt %s --sbp-place=place-by=propagation --sbp-verify-placed | FileCheck %s

// A module without pins is placed data parallel: inputs are split along dimension 0,
// if it is long enough, and parameters are on all devices.

sbp.machine @m [#sbp.level<"node" x 2, alpha = 1.0e-6, beta = 1.0e-10>, #sbp.level<"gpu" x 4, alpha = 1.0e-6, beta = 1.0e-10>]

// CHECK: nn.parameter @w : tensor<4x3xf32, #B_B_m>
nn.parameter @w : tensor<4x3xf32> = #nn.normal<0.02>

// CHECK-LABEL: func @a_long_batch_is_split_over_all_axes
//  CHECK-SAME:   tensor<8x4xf32, #S0_S0_m>
//       CHECK:   nn.einsum {{.*}} -> tensor<8x3xf32, #S0_S0_m>
func.func @a_long_batch_is_split_over_all_axes(%x: tensor<8x4xf32> {nn.input = "x"}) -> tensor<8x3xf32> {
  %w = nn.get @w : tensor<4x3xf32>
  %y = nn.einsum "bi,ij->bj" %x, %w : (tensor<8x4xf32>, tensor<4x3xf32>) -> tensor<8x3xf32>
  return %y : tensor<8x3xf32>
}

// CHECK-LABEL: func @a_short_batch_is_split_over_what_it_fills
//  CHECK-SAME:   tensor<3x4xf32, #S0_B_m>
func.func @a_short_batch_is_split_over_what_it_fills(%x: tensor<3x4xf32> {nn.input = "x"}) -> tensor<3x4xf32> {
  %y = nn.relu %x : tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// CHECK-LABEL: func @a_scalar_input_is_broadcast
//  CHECK-SAME:   tensor<f32, #B_B_m>
func.func @a_scalar_input_is_broadcast(%x: tensor<f32> {nn.input = "x"}) -> tensor<f32> {
  return %x : tensor<f32>
}
