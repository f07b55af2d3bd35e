// RUN: sbp-opt %s --canonicalize --cse | FileCheck %s

// All members of a group take part in its collectives, whether one of them uses the result
// or not; what communicates nothing vanishes. A part that is the whole is a part still:
// another rank's is not.

sbp.machine @m [#sbp.level<"gpu" x 2, alpha = 2.0e-6, beta = 2.0e-10>]
sbp.mesh @front of @m ranks [0] [#sbp.axis<"data" x 1 in "gpu">]
sbp.mesh @back of @m ranks [1] [#sbp.axis<"data" x 1 in "gpu">]
rank.transfer @t : tensor<4xf32, #sbp.nd<@front, [B]>> to tensor<4xf32, #sbp.nd<@back, [B]>>
rank.transfer @u : tensor<4xf32, #sbp.nd<@back, [B]>> to tensor<4xf32, #sbp.nd<@front, [B]>>

// CHECK-LABEL: func.func @results_without_use
//  CHECK-NEXT: rank.all_reduce
//  CHECK-NEXT: rank.all_reduce
//  CHECK-NEXT: rank.all_gather
//  CHECK-NEXT: rank.reduce_scatter
//  CHECK-NEXT: rank.all_to_all
//  CHECK-NEXT: rank.halo_exchange
//  CHECK-NEXT: rank.send
//  CHECK-NEXT: rank.receive
//  CHECK-NEXT: %[[PART:.*]] = rank.slice
//  CHECK-NEXT: return %[[PART]]
rank.program @all on @m ranks [0] {
  func.func @results_without_use(%x: tensor<4x4xf32>, %y: tensor<4xf32>, %z: tensor<1xf32>)
      -> tensor<1xf32> {
    %0 = rank.all_reduce sum %x over ["gpu"] : tensor<4x4xf32>
    %1 = rank.all_reduce sum %x over ["gpu"] : tensor<4x4xf32>
    %2 = rank.all_gather %x dim 0 over ["gpu"] : tensor<4x4xf32> -> tensor<8x4xf32>
    %3 = rank.reduce_scatter sum %x dim 0 over ["gpu"] : tensor<4x4xf32> -> tensor<2x4xf32>
    %4 = rank.all_to_all %x gather 0 split 1 over ["gpu"] : tensor<4x4xf32> -> tensor<8x2xf32>
    %5 = rank.halo_exchange sum %x dim 0 of 8 low 1 high 1 over ["gpu"]
        : tensor<4x4xf32> -> tensor<6x4xf32>
    rank.send %y through @t : tensor<4xf32>
    %6 = rank.receive through @u : tensor<4xf32>
    %7 = rank.slice %x dim 0 over ["gpu"] : tensor<4x4xf32> -> tensor<2x4xf32>
    %8 = rank.pad sum %x dim 0 over ["gpu"] : tensor<4x4xf32> -> tensor<8x4xf32>
    %9 = rank.to_partial sum %x over ["gpu"] : tensor<4x4xf32>
    %10 = rank.offset 7 over ["gpu"] : tensor<i64>
    %part = rank.slice %z dim 0 over ["gpu"] : tensor<1xf32> -> tensor<1xf32>
    return %part : tensor<1xf32>
  }
}
