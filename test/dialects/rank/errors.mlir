// RUN: sbp-opt %s --split-input-file --verify-diagnostics

sbp.machine @m [#sbp.level<"node" x 2, alpha = 1.0e-5, beta = 1.0e-10>,
                #sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-11>]

// expected-error @+1 {{lists rank 1 after 2; ranks must ascend}}
rank.program @program_c1 on @m ranks [0, 2, 1] {
}

// -----

sbp.machine @m [#sbp.level<"node" x 2, alpha = 1.0e-5, beta = 1.0e-10>,
                #sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-11>]

// expected-error @+1 {{lists rank 4 of @m, whose ranks are 0 to 3}}
rank.program @program_c1 on @m ranks [0, 4] {
}

// -----

sbp.machine @m [#sbp.level<"node" x 2, alpha = 1.0e-5, beta = 1.0e-10>,
                #sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-11>]

// expected-note @+1 {{listed here first}}
rank.program @first on @m ranks [0, 1] {
}
// expected-error @+1 {{lists rank 1, which "first" lists as well}}
rank.program @program_c2 on @m ranks [1, 2] {
}

// -----

// expected-error @+1 {{uses the mesh @nowhere, which the module does not define}}
rank.program @program_c3 on @nowhere ranks [0] {
}

// -----

sbp.machine @m [#sbp.level<"node" x 2, alpha = 1.0e-5, beta = 1.0e-10>,
                #sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-11>]

rank.program @p on @m ranks [0, 1, 2, 3] {
  func.func @all_reduce_c2_axis(%x: tensor<5x8xf32>) {
    // expected-error @+1 {{spans the axis "rack", which the mesh does not have}}
    %y = rank.all_reduce sum %x over ["rack"] : tensor<5x8xf32>
    return
  }
}

// -----

sbp.machine @m [#sbp.level<"node" x 2, alpha = 1.0e-5, beta = 1.0e-10>,
                #sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-11>]

rank.program @p on @m ranks [0, 1, 2, 3] {
  func.func @to_partial_c2_order(%x: tensor<5x8xf32>) {
    // expected-error @+1 {{names the axis "node" after "gpu", out of the mesh's order}}
    %y = rank.to_partial sum %x over ["gpu", "node"] : tensor<5x8xf32>
    return
  }
}

// -----

sbp.machine @m [#sbp.level<"node" x 2, alpha = 1.0e-5, beta = 1.0e-10>,
                #sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-11>]

rank.program @p on @m ranks [0, 1, 2, 3] {
  func.func @offset_c1_none(%x: tensor<5x8xf32>) {
    // expected-error @+1 {{spans no axis; it needs at least one}}
    %y = rank.offset 5 over [] : tensor<i64>
    return
  }
}

// -----

sbp.machine @m [#sbp.level<"node" x 2, alpha = 1.0e-5, beta = 1.0e-10>,
                #sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-11>]

rank.program @p on @m ranks [0, 1, 2, 3] {
  func.func @all_gather_c1(%x: tensor<2x8xf32>) {
    // expected-error @+1 {{turns 'tensor<2x8xf32>' into 'tensor<5x4xf32>', which differ in more than the extents of dimensions [0]}}
    %y = rank.all_gather %x dim 0 over ["gpu"] : tensor<2x8xf32> -> tensor<5x4xf32>
    return
  }
}

// -----

sbp.machine @m [#sbp.level<"node" x 2, alpha = 1.0e-5, beta = 1.0e-10>,
                #sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-11>]

rank.program @p on @m ranks [0, 1, 2, 3] {
  func.func @all_gather_c2(%x: tensor<2x8xf32>) {
    // expected-error @+1 {{has extent 2 along dimension 0, which is no part of 7 over ["gpu"]}}
    %y = rank.all_gather %x dim 0 over ["gpu"] : tensor<2x8xf32> -> tensor<7x8xf32>
    return
  }
}

// -----

sbp.machine @m [#sbp.level<"node" x 2, alpha = 1.0e-5, beta = 1.0e-10>,
                #sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-11>]

rank.program @p on @m ranks [0, 1, 2, 3] {
  func.func @reduce_scatter_c1(%x: tensor<5x8xf32>) {
    // expected-error @+1 {{turns 'tensor<5x8xf32>' into 'tensor<2x8xi32>', which differ in more than the extents of dimensions [0]}}
    %y = rank.reduce_scatter sum %x dim 0 over ["gpu"] : tensor<5x8xf32> -> tensor<2x8xi32>
    return
  }
}

// -----

sbp.machine @m [#sbp.level<"node" x 2, alpha = 1.0e-5, beta = 1.0e-10>,
                #sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-11>]

rank.program @p on @m ranks [0, 1, 2, 3] {
  func.func @reduce_scatter_c2(%x: tensor<5x8xf32>) {
    // expected-error @+1 {{has extent 4 along dimension 0, which is no part of 5 over ["node", "gpu"]}}
    %y = rank.reduce_scatter sum %x dim 0 over ["node", "gpu"] : tensor<5x8xf32> -> tensor<4x8xf32>
    return
  }
}

// -----

sbp.machine @m [#sbp.level<"node" x 2, alpha = 1.0e-5, beta = 1.0e-10>,
                #sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-11>]

rank.program @p on @m ranks [0, 1, 2, 3] {
  func.func @all_to_all_c1_dims(%x: tensor<2x8xf32>) {
    // expected-error @+1 {{gathers and splits the same dimension 0}}
    %y = rank.all_to_all %x gather 0 split 0 over ["gpu"] : tensor<2x8xf32> -> tensor<4x4xf32>
    return
  }
}

// -----

sbp.machine @m [#sbp.level<"node" x 2, alpha = 1.0e-5, beta = 1.0e-10>,
                #sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-11>]

rank.program @p on @m ranks [0, 1, 2, 3] {
  func.func @all_to_all_c1_types(%x: tensor<2x8x3xf32>) {
    // expected-error @+1 {{which differ in more than the extents of dimensions [0, 1]}}
    %y = rank.all_to_all %x gather 0 split 1 over ["gpu"] : tensor<2x8x3xf32> -> tensor<4x4x2xf32>
    return
  }
}

// -----

sbp.machine @m [#sbp.level<"node" x 2, alpha = 1.0e-5, beta = 1.0e-10>,
                #sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-11>]

rank.program @p on @m ranks [0, 1, 2, 3] {
  func.func @all_to_all_c2_gather(%x: tensor<2x8xf32>) {
    // expected-error @+1 {{has extent 2 along dimension 0, which is no part of 7 over ["gpu"]}}
    %y = rank.all_to_all %x gather 0 split 1 over ["gpu"] : tensor<2x8xf32> -> tensor<7x4xf32>
    return
  }
}

// -----

sbp.machine @m [#sbp.level<"node" x 2, alpha = 1.0e-5, beta = 1.0e-10>,
                #sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-11>]

rank.program @p on @m ranks [0, 1, 2, 3] {
  func.func @all_to_all_c2_split(%x: tensor<2x8xf32>) {
    // expected-error @+1 {{has extent 3 along dimension 1, which is no part of 8 over ["gpu"]}}
    %y = rank.all_to_all %x gather 0 split 1 over ["gpu"] : tensor<2x8xf32> -> tensor<4x3xf32>
    return
  }
}

// -----

sbp.machine @m [#sbp.level<"node" x 2, alpha = 1.0e-5, beta = 1.0e-10>,
                #sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-11>]

rank.program @p on @m ranks [0, 1, 2, 3] {
  func.func @slice_c1(%x: tensor<5x8xf32>) {
    // expected-error @+1 {{works on dimension 2 of 'tensor<5x8xf32>'}}
    %y = rank.slice %x dim 2 over ["gpu"] : tensor<5x8xf32> -> tensor<2x8xf32>
    return
  }
}

// -----

sbp.machine @m [#sbp.level<"node" x 2, alpha = 1.0e-5, beta = 1.0e-10>,
                #sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-11>]

rank.program @p on @m ranks [0, 1, 2, 3] {
  func.func @slice_c2(%x: tensor<5x8xf32>) {
    // expected-error @+1 {{has extent 1 along dimension 0, which is no part of 5 over ["gpu"]}}
    %y = rank.slice %x dim 0 over ["gpu"] : tensor<5x8xf32> -> tensor<1x8xf32>
    return
  }
}

// -----

sbp.machine @m [#sbp.level<"node" x 2, alpha = 1.0e-5, beta = 1.0e-10>,
                #sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-11>]

rank.program @p on @m ranks [0, 1, 2, 3] {
  func.func @pad_c1(%x: tensor<2x8xf32>) {
    // expected-error @+1 {{turns 'tensor<2x8xf32>' into 'tensor<5x9xf32>', which differ in more than the extents of dimensions [0]}}
    %y = rank.pad sum %x dim 0 over ["gpu"] : tensor<2x8xf32> -> tensor<5x9xf32>
    return
  }
}

// -----

sbp.machine @m [#sbp.level<"node" x 2, alpha = 1.0e-5, beta = 1.0e-10>,
                #sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-11>]

rank.program @p on @m ranks [0, 1, 2, 3] {
  func.func @pad_c2(%x: tensor<2x8xf32>) {
    // expected-error @+1 {{has extent 2 along dimension 0, which is no part of 8 over ["gpu"]}}
    %y = rank.pad sum %x dim 0 over ["gpu"] : tensor<2x8xf32> -> tensor<8x8xf32>
    return
  }
}

// -----

sbp.machine @m [#sbp.level<"node" x 2, alpha = 1.0e-5, beta = 1.0e-10>,
                #sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-11>]

rank.program @p on @m ranks [0, 1, 2, 3] {
  func.func @halo_exchange_c1(%x: tensor<4x8xf32>) {
    // expected-error @+1 {{widens an extent of 4 by 1 and 2 to 6}}
    %y = rank.halo_exchange sum %x dim 0 of 8 low 1 high 2 over ["gpu"] : tensor<4x8xf32> -> tensor<6x8xf32>
    return
  }
}

// -----

sbp.machine @m [#sbp.level<"node" x 2, alpha = 1.0e-5, beta = 1.0e-10>,
                #sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-11>]

rank.program @p on @m ranks [0, 1, 2, 3] {
  func.func @halo_exchange_c1_below_0(%x: tensor<4x8xf32>) {
    // expected-error @+1 {{widens a part by -1 and 2 elements; both must be at least 0}}
    %y = rank.halo_exchange sum %x dim 0 of 8 low -1 high 2 over ["gpu"] : tensor<4x8xf32> -> tensor<5x8xf32>
    return
  }
}

// -----

sbp.machine @m [#sbp.level<"node" x 2, alpha = 1.0e-5, beta = 1.0e-10>,
                #sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-11>]

rank.program @p on @m ranks [0, 1, 2, 3] {
  func.func @halo_exchange_c2(%x: tensor<4x8xf32>) {
    // expected-error @+1 {{has extent 4 along dimension 0, which is no part of 16 over ["gpu"]}}
    %y = rank.halo_exchange sum %x dim 0 of 16 low 1 high 1 over ["gpu"] : tensor<4x8xf32> -> tensor<6x8xf32>
    return
  }
}

// -----

func.func @all_reduce_c2_program(%x: tensor<4xf32>) {
  // expected-error @+1 {{stands outside of a rank.program}}
  %y = rank.all_reduce sum %x over ["gpu"] : tensor<4xf32>
  return
}

// -----

sbp.machine @m [#sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-11>]

rank.program @p on @m ranks [0, 1] {
  func.func @a_bucket_holds_more_than_one_tensor(%x: tensor<4xf32>) {
    // expected-error @+1 {{has 'rank.bucket' = array<i64: 0, 16, 16>; it must be array<i64: step, bytes, bytes of a full bucket>}}
    %y = rank.all_reduce sum %x over ["gpu"] {rank.bucket = array<i64: 0, 16, 16>} : tensor<4xf32>
    return
  }
}

// -----

sbp.machine @m [#sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-11>]

rank.program @p on @m ranks [0, 1] {
  func.func @a_bucket_counts_the_larger_tensor(%x: tensor<4xf32>) {
    // expected-error @+1 {{has 'rank.bucket' = array<i64: 0, 16, 64> for a tensor of 16 bytes, but has one of 32 on this rank; the bytes are those of the rank that has most}}
    %y = rank.all_gather %x dim 0 over ["gpu"] {rank.bucket = array<i64: 0, 16, 64>} : tensor<4xf32> -> tensor<8xf32>
    return
  }
}

// -----

sbp.machine @m [#sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-11>]

rank.program @p on @m ranks [0, 1] {
  func.func @a_local_step_goes_into_no_bucket(%x: tensor<4xf32>) {
    // expected-error @+1 {{has 'rank.bucket', but is none of all_reduce, all_gather, reduce_scatter and all_to_all}}
    %y = rank.slice %x dim 0 over ["gpu"] {rank.bucket = array<i64: 0, 16, 64>} : tensor<4xf32> -> tensor<2xf32>
    return
  }
}

// -----

sbp.machine @m [#sbp.level<"node" x 2, alpha = 1.0e-5, beta = 1.0e-10>,
                #sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-11>]

// expected-error @+1 {{lists no ranks; it needs at least one}}
rank.program @program_c1_none on @m ranks [] {
}

// -----

sbp.machine @m [#sbp.level<"node" x 2, alpha = 1.0e-5, beta = 1.0e-10>,
                #sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-11>]

rank.program @p on @m ranks [0, 1, 2, 3] {
  func.func @all_reduce_c1(%x: tensor<5x8xf32>) {
    // expected-error @+1 {{failed to verify that all of {input, result} have same type}}
    %y = "rank.all_reduce"(%x) {reduction = 0 : i32, axes = ["gpu"]} : (tensor<5x8xf32>) -> tensor<5x9xf32>
    return
  }
}

// -----

sbp.machine @m [#sbp.level<"node" x 2, alpha = 1.0e-5, beta = 1.0e-10>,
                #sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-11>]

rank.program @p on @m ranks [0, 1, 2, 3] {
  func.func @to_partial_c1(%x: tensor<5x8xf32>) {
    // expected-error @+1 {{failed to verify that all of {input, result} have same type}}
    %y = "rank.to_partial"(%x) {reduction = 0 : i32, axes = ["gpu"]} : (tensor<5x8xf32>) -> tensor<5x9xf32>
    return
  }
}

// -----

sbp.machine @m [#sbp.level<"node" x 2, alpha = 1.0e-5, beta = 1.0e-10>,
                #sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-11>]

rank.program @p on @m ranks [0, 1, 2, 3] {
  func.func @all_gather_c3(%x: tensor<2x8xf32>) {
    // expected-error @+1 {{spans the axis "rack", which the mesh does not have}}
    %y = rank.all_gather %x dim 0 over ["rack"] : tensor<2x8xf32> -> tensor<4x8xf32>
    return
  }
}

// -----

sbp.machine @m [#sbp.level<"node" x 2, alpha = 1.0e-5, beta = 1.0e-10>,
                #sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-11>]

rank.program @p on @m ranks [0, 1, 2, 3] {
  func.func @reduce_scatter_c3(%x: tensor<4x8xf32>) {
    // expected-error @+1 {{spans the axis "rack", which the mesh does not have}}
    %y = rank.reduce_scatter sum %x dim 0 over ["rack"] : tensor<4x8xf32> -> tensor<2x8xf32>
    return
  }
}

// -----

sbp.machine @m [#sbp.level<"node" x 2, alpha = 1.0e-5, beta = 1.0e-10>,
                #sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-11>]

rank.program @p on @m ranks [0, 1, 2, 3] {
  func.func @all_to_all_c3(%x: tensor<2x8xf32>) {
    // expected-error @+1 {{spans the axis "rack", which the mesh does not have}}
    %y = rank.all_to_all %x gather 0 split 1 over ["rack"] : tensor<2x8xf32> -> tensor<4x4xf32>
    return
  }
}

// -----

sbp.machine @m [#sbp.level<"node" x 2, alpha = 1.0e-5, beta = 1.0e-10>,
                #sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-11>]

rank.program @p on @m ranks [0, 1, 2, 3] {
  func.func @halo_exchange_c3(%x: tensor<4x8xf32>) {
    // expected-error @+1 {{spans the axis "rack", which the mesh does not have}}
    %y = rank.halo_exchange sum %x dim 0 of 8 low 1 high 1 over ["rack"] : tensor<4x8xf32> -> tensor<6x8xf32>
    return
  }
}

// -----

sbp.machine @m [#sbp.level<"node" x 2, alpha = 1.0e-5, beta = 1.0e-10>,
                #sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-11>]

rank.program @p on @m ranks [0, 1, 2, 3] {
  func.func @slice_c3(%x: tensor<4x8xf32>) {
    // expected-error @+1 {{spans the axis "rack", which the mesh does not have}}
    %y = rank.slice %x dim 0 over ["rack"] : tensor<4x8xf32> -> tensor<2x8xf32>
    return
  }
}

// -----

sbp.machine @m [#sbp.level<"node" x 2, alpha = 1.0e-5, beta = 1.0e-10>,
                #sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-11>]

rank.program @p on @m ranks [0, 1, 2, 3] {
  func.func @pad_c3(%x: tensor<2x8xf32>) {
    // expected-error @+1 {{spans the axis "rack", which the mesh does not have}}
    %y = rank.pad sum %x dim 0 over ["rack"] : tensor<2x8xf32> -> tensor<4x8xf32>
    return
  }
}

// -----

func.func @offset_c1_program() {
  // expected-error @+1 {{stands outside of a rank.program}}
  %y = rank.offset 5 over ["gpu"] : tensor<i64>
  return
}

// -----

sbp.machine @m [#sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-11>]

func.func @all_reduce_c2_program_with_a_group(%x: tensor<5xf32>) {
  // expected-error @+1 {{stands outside of a rank.program}}
  %y = rank.all_reduce sum %x over ["gpu"] {rank.group = @m} : tensor<5xf32>
  return
}

// -----

sbp.machine @m [#sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-11>]

rank.program @p on @m ranks [0, 1] {
  func.func @offset_of_a_negative_extent() {
    // expected-error @+1 {{attribute 'extent' failed to satisfy constraint}}
    %y = rank.offset -1 over ["gpu"] : tensor<i64>
    return
  }
}

// -----

sbp.machine @m [#sbp.level<"gpu" x 1, alpha = 1.0e-6, beta = 1.0e-11>]
rank.program @p on @m ranks [0] {
  func.func @fused_c1(%x: tensor<4xf32>) {
    // expected-error @+1 {{has operands of types ('tensor<4xf32>'), but a body with arguments of types ('tensor<4xi32>')}}
    %y = rank.fused(%x) : (tensor<4xf32>) -> tensor<4xi32> {
    ^bb0(%a: tensor<4xi32>):
      rank.yield %a : tensor<4xi32>
    }
    return
  }
}

// -----

sbp.machine @m [#sbp.level<"gpu" x 1, alpha = 1.0e-6, beta = 1.0e-11>]
rank.program @p on @m ranks [0] {
  func.func @fused_c1_results(%x: tensor<4xf32>) {
    // expected-error @+1 {{has results of types ('tensor<4xi32>'), but a body that yields ('tensor<4xf32>')}}
    %y = rank.fused(%x) : (tensor<4xf32>) -> tensor<4xi32> {
    ^bb0(%a: tensor<4xf32>):
      rank.yield %a : tensor<4xf32>
    }
    return
  }
}

// -----

sbp.machine @m [#sbp.level<"gpu" x 1, alpha = 1.0e-6, beta = 1.0e-11>]
rank.program @p on @m ranks [0] {
  func.func @fused_c2() {
    // expected-error @+1 {{has 0 operands and 1 results; it needs at least one of each}}
    %y = rank.fused() : () -> tensor<4xf32> {
      %one = nn.constant dense<1.0> : tensor<4xf32>
      rank.yield %one : tensor<4xf32>
    }
    return
  }
}

// -----

sbp.machine @m [#sbp.level<"gpu" x 1, alpha = 1.0e-6, beta = 1.0e-11>]
rank.program @p on @m ranks [0] {
  func.func @fused_c2_shapes(%x: tensor<4xf32>, %y: tensor<2x4xf32>) {
    // expected-error @+1 {{has results of different shapes, 'tensor<4xf32>' and 'tensor<2x4xf32>'}}
    %z:2 = rank.fused(%x, %y) : (tensor<4xf32>, tensor<2x4xf32>) -> (tensor<4xf32>, tensor<2x4xf32>) {
    ^bb0(%a: tensor<4xf32>, %b: tensor<2x4xf32>):
      rank.yield %a, %b : tensor<4xf32>, tensor<2x4xf32>
    }
    return
  }
}

// -----

sbp.machine @m [#sbp.level<"gpu" x 1, alpha = 1.0e-6, beta = 1.0e-11>]
rank.program @p on @m ranks [0] {
  func.func @fused_c2_ops(%x: tensor<2x4xf32>) {
    %z = rank.fused(%x) : (tensor<2x4xf32>) -> tensor<2x4xf32> {
    ^bb0(%a: tensor<2x4xf32>):
      // expected-error @+1 {{makes 'tensor<4xf32>' in a 'rank.fused' whose results have the shape of 'tensor<2x4xf32>'}}
      %sum = nn.reduce sum %a over [0] : tensor<2x4xf32> -> tensor<4xf32>
      rank.yield %a : tensor<2x4xf32>
    }
    return
  }
}

// -----

sbp.machine @m [#sbp.level<"gpu" x 1, alpha = 1.0e-6, beta = 1.0e-11>]
rank.program @p on @m ranks [0] {
  func.func @fused_c3(%x: tensor<4xf32>, %y: tensor<3xf32>) {
    // expected-error @+1 {{has an operand of type 'tensor<3xf32>', which does not broadcast to the result of type 'tensor<4xf32>'}}
    %z = rank.fused(%x, %y) : (tensor<4xf32>, tensor<3xf32>) -> tensor<4xf32> {
    ^bb0(%a: tensor<4xf32>, %b: tensor<3xf32>):
      rank.yield %a : tensor<4xf32>
    }
    return
  }
}

// -----

sbp.machine @m [#sbp.level<"gpu" x 1, alpha = 1.0e-6, beta = 1.0e-11>]
rank.program @p on @m ranks [0] {
  func.func @fused_c4(%x: tensor<4xf32>) {
    %z = rank.fused(%x) : (tensor<4xf32>) -> tensor<4xf32> {
    ^bb0(%a: tensor<4xf32>):
      // expected-error @+1 {{stands in a 'rank.fused', whose ops have no regions and no side effects}}
      %sum = rank.all_reduce sum %a over ["gpu"] : tensor<4xf32>
      rank.yield %sum : tensor<4xf32>
    }
    return
  }
}

// -----

sbp.machine @m [#sbp.level<"gpu" x 1, alpha = 1.0e-6, beta = 1.0e-11>]
rank.program @p on @m ranks [0] {
  func.func @yield_c1(%x: tensor<4xf32>) {
    // expected-error @+1 {{expects parent op 'rank.fused'}}
    rank.yield %x : tensor<4xf32>
    return
  }
}
