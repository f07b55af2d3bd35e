// RUN: sbp-opt %s --load-dialect-plugin=%fixtures/planted_ways/planted_ways.so --sbp-to-placed | FileCheck %s

// The local convolution has the halo instead of padding, so the signature to which the whole
// one is pinned is none of its own.

sbp.machine @line [#sbp.level<"gpu" x 2, alpha = 2.0e-5, beta = 8.0e-11>]

// CHECK: nn.convolution {{.*}} : (tensor<2x3x8x8xf32, #S2_line>, tensor<4x3x3x3xf32, #B_line>) -> tensor<2x4x8x8xf32, #S2_line>
func.func @convolution(%x: tensor<2x3x8x8xf32> {nn.input = "x"}, %w: tensor<4x3x3x3xf32> {nn.input = "w"})
    -> (tensor<2x4x8x8xf32> {nn.output = "y"}) {
  %y = nn.convolution %x, %w low [1, 1] high [1, 1]
      {sbp.signature = #sbp.signature<[(S(2), B) -> (S(2))]>}
      : (tensor<2x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<2x4x8x8xf32>
  return %y : tensor<2x4x8x8xf32>
}
