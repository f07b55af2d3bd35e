// RUN: sbp-opt %s --sbp-localize | FileCheck %s

sbp.machine @cluster [#sbp.level<"gpu" x 2, alpha = 5.0e-6, beta = 5.0e-12>]

// The output rows of a convolution are split, and every rank has the whole input: the
// rank's rows begin where its part begins. Columns are whole.
// CHECK-LABEL: func.func @rows
// CHECK: %[[ROW:.*]] = rank.offset 8 over ["gpu"] : tensor<i64>
// CHECK: %[[Y:.*]] = nn.convolution %{{.*}}, %{{.*}} from %[[ROW]] in [0] low [1, 1] high [1, 1]
// CHECK-SAME: -> tensor<2x5x4x8xf32>
// CHECK: nn.pool max %{{.*}} over [2, 2] from %{{.*}} in [0] strides [2, 2]
// CHECK-SAME: -> tensor<2x3x2x4xf32>
func.func @rows(%x: tensor<2x3x8x8xf32, #sbp.nd<@cluster, [B]>> {nn.input = "x"},
                %w: tensor<5x3x3x3xf32, #sbp.nd<@cluster, [B]>> {nn.input = "w"})
    -> (tensor<2x5x8x8xf32, #sbp.nd<@cluster, [S(2)]>>,
        tensor<2x3x4x4xf32, #sbp.nd<@cluster, [S(2)]>>) {
  %y = nn.convolution %x, %w low [1, 1] high [1, 1]
     : (tensor<2x3x8x8xf32, #sbp.nd<@cluster, [B]>>,
        tensor<5x3x3x3xf32, #sbp.nd<@cluster, [B]>>)
    -> tensor<2x5x8x8xf32, #sbp.nd<@cluster, [S(2)]>>
  %p = nn.pool max %x over [2, 2] strides [2, 2]
     : (tensor<2x3x8x8xf32, #sbp.nd<@cluster, [B]>>)
    -> tensor<2x3x4x4xf32, #sbp.nd<@cluster, [S(2)]>>
  return %y, %p : tensor<2x5x8x8xf32, #sbp.nd<@cluster, [S(2)]>>,
                  tensor<2x3x4x4xf32, #sbp.nd<@cluster, [S(2)]>>
}

// A split of the samples leaves terms of the statistics, each divided by the number of
// all samples.
// CHECK-LABEL: func.func @statistics
// CHECK: nn.reduce mean %{{.*}} over [0, 2] {count = 20 : i64}
// CHECK: rank.all_reduce sum
// CHECK: nn.batch_variance %{{.*}}, %{{.*}} {count = 20 : i64}
func.func @statistics(%x: tensor<4x3x5xf32, #sbp.nd<@cluster, [S(0)]>> {nn.input = "x"})
    -> tensor<3xf32, #sbp.nd<@cluster, [P(sum)]>> {
  %sum = nn.reduce mean %x over [0, 2]
       : tensor<4x3x5xf32, #sbp.nd<@cluster, [S(0)]>>
      -> tensor<3xf32, #sbp.nd<@cluster, [P(sum)]>>
  %mean = sbp.box %sum : tensor<3xf32, #sbp.nd<@cluster, [P(sum)]>>
       to tensor<3xf32, #sbp.nd<@cluster, [B]>>
  %variance = nn.batch_variance %x, %mean
            : (tensor<4x3x5xf32, #sbp.nd<@cluster, [S(0)]>>,
               tensor<3xf32, #sbp.nd<@cluster, [B]>>)
           -> tensor<3xf32, #sbp.nd<@cluster, [P(sum)]>>
  return %variance : tensor<3xf32, #sbp.nd<@cluster, [P(sum)]>>
}
