// RUN: sbp-opt %s --sbp-to-local | FileCheck %s
// RUN: sbp-opt %s --sbp-to-local | sbp-opt --sbp-to-local | FileCheck %s

sbp.machine @line [#sbp.level<"rank" x 4, alpha = 1.0e-6, beta = 1.0e-9>]

// Rank 0 owns two of 10 elements, and two of 11, so its parts of two different sums
// look equal. Those of the other ranks do not. If rank 0 merged its parts, it would take
// part in one all-reduce, and the others in two.
// CHECK-LABEL: rank.program @ranks_like_0 on @line ranks [0]
// CHECK-COUNT-2: rank.all_reduce
// CHECK-LABEL: rank.program @ranks_like_1 on @line ranks [1, 3]
// CHECK-COUNT-2: rank.all_reduce
// CHECK-LABEL: rank.program @ranks_like_2 on @line ranks [2]
// CHECK-COUNT-2: rank.all_reduce
func.func @parts_of_different_tensors_do_not_merge() -> (tensor<f32, #sbp.nd<@line, [B]>>, tensor<f32, #sbp.nd<@line, [B]>>) {
  %a = nn.constant dense<1.0> : tensor<10xf32> -> tensor<10xf32, #sbp.nd<@line, [S(0)]>>
  %b = nn.constant dense<1.0> : tensor<11xf32> -> tensor<11xf32, #sbp.nd<@line, [S(0)]>>
  %0 = nn.reduce sum %a over [0] : tensor<10xf32, #sbp.nd<@line, [S(0)]>> -> tensor<f32, #sbp.nd<@line, [P(sum)]>>
  %1 = nn.reduce sum %b over [0] : tensor<11xf32, #sbp.nd<@line, [S(0)]>> -> tensor<f32, #sbp.nd<@line, [P(sum)]>>
  %2 = sbp.box %0 : tensor<f32, #sbp.nd<@line, [P(sum)]>> to tensor<f32, #sbp.nd<@line, [B]>>
  %3 = sbp.box %1 : tensor<f32, #sbp.nd<@line, [P(sum)]>> to tensor<f32, #sbp.nd<@line, [B]>>
  return %2, %3 : tensor<f32, #sbp.nd<@line, [B]>>, tensor<f32, #sbp.nd<@line, [B]>>
}
