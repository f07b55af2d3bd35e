// RUN: sbp-opt %s --sbp-to-local --cse --canonicalize | FileCheck %s

// Parts of 7 elements differ in size, so the sums of 6 and 7 look equal on rank 0, and
// those of 7 and 8 on rank 1. If a rank merged its two equal sums, it would take part
// in collectives of different tensors. So each sum stays.

//     CHECK-LABEL: rank.program @ranks_like_0
// CHECK-COUNT-3:   rank.all_reduce sum
//       CHECK-NOT:   rank.all_reduce
//     CHECK-LABEL: rank.program @ranks_like_1
// CHECK-COUNT-3:   rank.all_reduce sum
//       CHECK-NOT:   rank.all_reduce

sbp.machine @m [#sbp.level<"gpu" x 2, alpha = 2.0e-6, beta = 2.0e-10>]
func.func @f() -> (tensor<f32> {nn.output = "a"}, tensor<f32> {nn.output = "b"}, tensor<f32> {nn.output = "c"}) {
  %a = nn.constant dense<2.0> : tensor<6xf32>
  %ap = sbp.pin %a : tensor<6xf32> to #sbp.nd<@m, [S(0)]>
  %b = nn.constant dense<2.0> : tensor<7xf32>
  %bp = sbp.pin %b : tensor<7xf32> to #sbp.nd<@m, [S(0)]>
  %c = nn.constant dense<2.0> : tensor<8xf32>
  %cp = sbp.pin %c : tensor<8xf32> to #sbp.nd<@m, [S(0)]>
  %s = nn.reduce sum %ap over [0] : tensor<6xf32> -> tensor<f32>
  %st = sbp.pin %s : tensor<f32> to #sbp.nd<@m, [P(sum)]>
  %sp = sbp.pin %st : tensor<f32> to #sbp.nd<@m, [B]>
  %u = nn.reduce sum %bp over [0] : tensor<7xf32> -> tensor<f32>
  %ut = sbp.pin %u : tensor<f32> to #sbp.nd<@m, [P(sum)]>
  %up = sbp.pin %ut : tensor<f32> to #sbp.nd<@m, [B]>
  %v = nn.reduce sum %cp over [0] : tensor<8xf32> -> tensor<f32>
  %vt = sbp.pin %v : tensor<f32> to #sbp.nd<@m, [P(sum)]>
  %vp = sbp.pin %vt : tensor<f32> to #sbp.nd<@m, [B]>
  return %sp, %up, %vp : tensor<f32>, tensor<f32>, tensor<f32>
}
