// RUN: sbp-opt %s --load-dialect-plugin=%plugins/halo/halo.so --sbp-localize | FileCheck %s

sbp.machine @line [#sbp.level<"gpu" x 4, alpha = 2.0e-5, beta = 8.0e-11>]

!images = tensor<2x3x16x8xf32, #sbp.nd<@line, [S(2)]>>
!halves = tensor<2x5x8x4xf32, #sbp.nd<@line, [S(2)]>>
!kept = tensor<2x5x16x8xf32, #sbp.nd<@line, [S(2)]>>
!filter = tensor<5x3x3x3xf32, #sbp.nd<@line, [B]>>

// Windows of 3 rows with a padding of 1 need one row of each neighbour; at the ends of the
// image this row is padding. Columns are whole and keep their padding.
// CHECK-LABEL: func.func @convolution
// CHECK-SAME: (%[[X:.*]]: tensor<2x3x4x8xf32>
// CHECK: %[[HALO:.*]] = rank.halo_exchange sum %[[X]] dim 2 of 16 low 1 high 1 over ["gpu"] : tensor<2x3x4x8xf32> -> tensor<2x3x6x8xf32>
// CHECK: nn.convolution %[[HALO]], %{{.*}} low [0, 1] high [0, 1]
// CHECK-SAME: -> tensor<2x5x4x8xf32>
func.func @convolution(%x: !images, %w: !filter) -> !kept {
  %y = nn.convolution %x, %w low [1, 1] high [1, 1] : (!images, !filter) -> !kept
  return %y : !kept
}

// With a stride of 2 the last window of a part ends at its last row.
// CHECK-LABEL: func.func @strided
// CHECK: rank.halo_exchange sum %{{.*}} dim 2 of 16 low 1 high 0
// CHECK: nn.convolution %{{.*}} strides [2, 2] low [0, 1] high [0, 0]
func.func @strided(%x: !images, %w: !filter) -> !halves {
  %y = nn.convolution %x, %w strides [2, 2] low [1, 1] high [0, 0]
     : (!images, !filter) -> !halves
  return %y : !halves
}

// The gradient of a part of the image needs the gradients of outputs whose windows overlap
// it; the gradient of the filter needs the same inputs as the convolution.
// CHECK-LABEL: func.func @gradients
// CHECK: %[[DY:.*]] = rank.halo_exchange sum %{{.*}} dim 2 of 16 low 1 high 1
// CHECK: nn.convolution_input_grad %{{.*}}, %[[DY]] low [2, 1] high [2, 1]
// CHECK-SAME: -> tensor<2x3x4x8xf32>
// CHECK: %[[X:.*]] = rank.halo_exchange sum %{{.*}} dim 2 of 16 low 1 high 1
// CHECK: nn.convolution_filter_grad %[[X]], %{{.*}} low [0, 1] high [0, 1]
func.func @gradients(%x: !images, %w: !filter, %dy: !kept)
    -> (!images, tensor<5x3x3x3xf32, #sbp.nd<@line, [P(sum)]>>) {
  %dx = nn.convolution_input_grad %w, %dy low [1, 1] high [1, 1]
     : (!filter, !kept) -> !images
  %dw = nn.convolution_filter_grad %x, %dy low [1, 1] high [1, 1]
     : (!images, !kept) -> tensor<5x3x3x3xf32, #sbp.nd<@line, [P(sum)]>>
  return %dx, %dw : !images, tensor<5x3x3x3xf32, #sbp.nd<@line, [P(sum)]>>
}

// Windows without overlap need no halo.
// CHECK-LABEL: func.func @pool
// CHECK-NOT: rank.halo_exchange
// CHECK: nn.pool max
func.func @pool(%x: !images)
    -> tensor<2x3x8x4xf32, #sbp.nd<@line, [S(2)]>> {
  %y = nn.pool max %x over [2, 2] strides [2, 2]
     : (!images) -> tensor<2x3x8x4xf32, #sbp.nd<@line, [S(2)]>>
  return %y : tensor<2x3x8x4xf32, #sbp.nd<@line, [S(2)]>>
}
