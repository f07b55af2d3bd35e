// RUN: sbp-opt %s --verify-roundtrip

sbp.machine @m [#sbp.level<"node" x 2, alpha = 2.0e-5, beta = 8.0e-11>,
                #sbp.level<"gpu" x 2, alpha = 5.0e-6, beta = 5.0e-12>]

// Rows 0 to 6 are split into parts of 3 and 4, so there are two programs.
rank.program @lower on @m ranks [0, 1] {
  nn.parameter @w : tensor<3x4xf32> = #nn.zeros
  func.func @f(%x: tensor<3x4xf32>, %y: tensor<7x4xf32>, %z: tensor<7x2xf32>,
              %w: tensor<4xf32>) {
    %all_reduce = rank.all_reduce sum %x over ["node", "gpu"] : tensor<3x4xf32>
    %max = rank.all_reduce max %x over ["gpu"] : tensor<3x4xf32>
    %all_gather = rank.all_gather %x dim 0 over ["node"] : tensor<3x4xf32> -> tensor<7x4xf32>
    %reduce_scatter = rank.reduce_scatter min %y dim 0 over ["node"]
        : tensor<7x4xf32> -> tensor<3x4xf32>
    %all_to_all = rank.all_to_all %z gather 1 split 0 over ["node"]
        : tensor<7x2xf32> -> tensor<3x4xf32>
    %halo_exchange = rank.halo_exchange sum %x dim 0 of 7 low 1 high 2 over ["node"]
        : tensor<3x4xf32> -> tensor<6x4xf32>
    %slice = rank.slice %y dim 0 over ["node"] : tensor<7x4xf32> -> tensor<3x4xf32>
    %pad = rank.pad sum %x dim 0 over ["node"] : tensor<3x4xf32> -> tensor<7x4xf32>
    %to_partial = rank.to_partial sum %y over ["gpu"] : tensor<7x4xf32>
    %offset = rank.offset 7 over ["node"] : tensor<i64>
    %fused:2 = rank.fused(%x, %w) : (tensor<3x4xf32>, tensor<4xf32>) -> (tensor<3x4xf32>, tensor<3x4xi1>) {
    ^bb0(%a: tensor<3x4xf32>, %b: tensor<4xf32>):
      %two = nn.constant dense<2.0> : tensor<f32>
      %sum = nn.add %a, %b : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
      %is_small = nn.compare lt %sum, %two : (tensor<3x4xf32>, tensor<f32>) -> tensor<3x4xi1>
      rank.yield %sum, %is_small : tensor<3x4xf32>, tensor<3x4xi1>
    }
    return
  }
}
rank.program @upper on @m ranks [2, 3] {
  nn.parameter @w : tensor<4x4xf32> = #nn.zeros
}
