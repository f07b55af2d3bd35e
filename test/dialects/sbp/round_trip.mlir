// RUN: sbp-opt %s --verify-roundtrip

sbp.machine @cluster [
  #sbp.level<"node" x 2, alpha = 2.0e-5, beta = 8.0e-11>,
  #sbp.level<"gpu" x 4, alpha = 5.0e-6, beta = 5.0e-12>]
sbp.mesh @grid of @cluster [
  #sbp.axis<"data" x 2 in "node">,
  #sbp.axis<"row" x 2 in "gpu">, #sbp.axis<"column" x 2 in "gpu">]

nn.parameter @w : tensor<7x10xf32, #sbp.nd<@grid, [B, S(0), S(0)]>> = #nn.zeros

func.func @placements(
    %split: tensor<7x10xf32, #sbp.nd<@grid, [S(0), S(1), S(1)]>>,
    %partial: tensor<7x10xf32, #sbp.nd<@grid, [P(sum), B, P(sum)]>>,
    %max: tensor<7xi64, #sbp.nd<@cluster, [P(max), B]>>,
    %min: tensor<f32, #sbp.nd<@cluster, [P(min), B]>>,
    %mask: tensor<3xi1, #sbp.nd<@cluster, [S(0), B]>>) {
  return
}

func.func @signatures(%x: tensor<8x4xf32>, %w: tensor<4x6xf32>) -> tensor<f32> {
  %y = nn.einsum "bi,ij->bj" %x, %w
      {sbp.signature = #sbp.signature<[(S(0), B) -> (S(0)), (S(1), S(0)) -> (P(sum)), (B, B) -> (B)]>}
      : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  %m = nn.reduce max %y over [0, 1] {sbp.signature = #sbp.signature<[(S(0)) -> (P(max)), (B) -> (B), (B) -> (B)]>}
      : tensor<8x6xf32> -> tensor<f32>
  return %m : tensor<f32>
}

func.func @pins_and_movements(%x: tensor<7x10xf32>,
                              %y: tensor<7x10xf32, #sbp.nd<@grid, [S(0), P(sum), B]>>) {
  %pin = sbp.pin %x : tensor<7x10xf32> to #sbp.nd<@grid, [S(0), P(sum), B]>
  %cast = sbp.cast %y : tensor<7x10xf32, #sbp.nd<@grid, [S(0), P(sum), B]>>
                     to tensor<7x10xf32, #sbp.nd<@grid, [S(0), B, B]>>
  %pinned = sbp.cast pinned %y : tensor<7x10xf32, #sbp.nd<@grid, [S(0), P(sum), B]>>
                              to tensor<7x10xf32, #sbp.nd<@grid, [S(0), P(sum), B]>>
  %box = sbp.box %y : tensor<7x10xf32, #sbp.nd<@grid, [S(0), P(sum), B]>>
                   to tensor<7x10xf32, #sbp.nd<@grid, [B, S(1), S(0)]>>
  return
}
