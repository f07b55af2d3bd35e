// RUN: sbp-opt %s --load-dialect-plugin=%plugins/summa/summa.so --sbp-localize --split-input-file | FileCheck %s

sbp.machine @grid [#sbp.level<"row" x 2, alpha = 2.0e-5, beta = 8.0e-11>,
                   #sbp.level<"column" x 3, alpha = 5.0e-6, beta = 5.0e-12>]

// The 4 columns of @x are in 3 parts and the 12 rows of @w in 2. The summed loop of 12 has 6
// chunks, two for each device of a row and three for each device of a column. A chunk has
// two elements, so there are two panels.
// CHECK-LABEL: func.func @product
// CHECK-SAME: (%[[X:.*]]: tensor<4x4xf32>{{.*}}, %[[W:.*]]: tensor<6x3xf32>
// CHECK: %[[X_CHUNKS:.*]] = nn.reshape %[[X]] : tensor<4x4xf32> -> tensor<4x2x2x1xf32>
// CHECK: %[[X_SLICE:.*]] = nn.slice %[[X_CHUNKS]] [0, 0, 0, 0] [4, 2, 1, 1]
// CHECK: %[[X_PART:.*]] = nn.reshape %[[X_SLICE]] : tensor<4x2x1x1xf32> -> tensor<4x2xf32>
// CHECK: %[[X_PANEL:.*]] = rank.all_gather %[[X_PART]] dim 1 over ["column"] : tensor<4x2xf32> -> tensor<4x6xf32>
// CHECK: %[[W_PANEL:.*]] = rank.all_gather %{{.*}} dim 0 over ["row"] : tensor<3x3xf32> -> tensor<6x3xf32>
// CHECK: %[[FIRST:.*]] = nn.einsum "bi,ij->bj" %[[X_PANEL]], %[[W_PANEL]]
// CHECK: rank.all_gather
// CHECK: rank.all_gather
// CHECK: %[[SECOND:.*]] = nn.einsum
// CHECK: %[[Y:.*]] = nn.add %[[FIRST]], %[[SECOND]]
// CHECK: return %[[Y]] : tensor<4x3xf32>
func.func @product(%x: tensor<8x12xf32, #sbp.nd<@grid, [S(0), S(1)]>>,
                   %w: tensor<12x9xf32, #sbp.nd<@grid, [S(0), S(1)]>>)
    -> tensor<8x9xf32, #sbp.nd<@grid, [S(0), S(1)]>> {
  %y = nn.einsum "bi,ij->bj" %x, %w
     : (tensor<8x12xf32, #sbp.nd<@grid, [S(0), S(1)]>>,
        tensor<12x9xf32, #sbp.nd<@grid, [S(0), S(1)]>>)
    -> tensor<8x9xf32, #sbp.nd<@grid, [S(0), S(1)]>>
  return %y : tensor<8x9xf32, #sbp.nd<@grid, [S(0), S(1)]>>
}

// -----

sbp.machine @line [#sbp.level<"gpu" x 2, alpha = 2.0e-5, beta = 8.0e-11>]

// The gradient of a weight that is split along the sum: each panel of it is summed over
// the devices, and scattered to the devices of its rows.
// CHECK-LABEL: func.func @weight_gradient
// CHECK: %[[TERM:.*]] = nn.einsum "bi,bj->ij" %{{.*}}, %{{.*}} : (tensor<4x4xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
// CHECK: %[[UPPER:.*]] = rank.reduce_scatter sum %[[TERM]] dim 0 over ["gpu"] : tensor<4x6xf32> -> tensor<2x6xf32>
// CHECK: %[[LOWER:.*]] = rank.reduce_scatter
// CHECK: nn.concat %[[UPPER]], %[[LOWER]] dim 0
func.func @weight_gradient(%x: tensor<8x8xf32, #sbp.nd<@line, [S(0)]>>,
                           %dy: tensor<8x6xf32, #sbp.nd<@line, [S(0)]>>)
    -> tensor<8x6xf32, #sbp.nd<@line, [S(0)]>> {
  %dw = nn.einsum "bi,bj->ij" %x, %dy {nn.adjoint_of = 1 : i64}
     : (tensor<8x8xf32, #sbp.nd<@line, [S(0)]>>,
        tensor<8x6xf32, #sbp.nd<@line, [S(0)]>>)
    -> tensor<8x6xf32, #sbp.nd<@line, [S(0)]>>
  return %dw : tensor<8x6xf32, #sbp.nd<@line, [S(0)]>>
}
