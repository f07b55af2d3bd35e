// RUN: sbp-opt %s --sbp-insert-boxing --canonicalize --sbp-verify-boxed | FileCheck %s

// If all movements are free, only the order of the additions prevents a second
// reduction of the terms.

sbp.machine @m [#sbp.level<"node" x 2, alpha = 0.0, beta = 0.0>, #sbp.level<"gpu" x 2, alpha = 0.0, beta = 0.0>]

!terms = tensor<64x64xf32, #sbp.nd<@m, [P(sum), P(sum)]>>
!fewer = tensor<64x64xf32, #sbp.nd<@m, [P(sum), B]>>
!whole = tensor<64x64xf32, #sbp.nd<@m, [B, B]>>
!rows = tensor<64x64xf32, #sbp.nd<@m, [S(0), B]>>

// CHECK-LABEL: func @uses_without_terms_come_from_one_sum
//  CHECK-SAME:   (%[[X:.*]]:
//       CHECK:   %[[FEWER:.*]] = sbp.box %[[X]] : {{.*}} to {{.*}}#Psum_B_{{[a-z0-9]+}}>
//       CHECK:   %[[WHOLE:.*]] = sbp.box %[[X]] : {{.*}} to {{.*}}#B_B_{{[a-z0-9]+}}>
//       CHECK:   sbp.box %[[WHOLE]] : {{.*}} to {{.*}}#S0_B_{{[a-z0-9]+}}>
func.func @uses_without_terms_come_from_one_sum(%x: !terms) -> (!fewer, !whole, !rows) {
  %a = sbp.cast %x : !terms to !fewer
  %u = nn.neg %a : !fewer
  %b = sbp.cast %x : !terms to !whole
  %v = nn.relu %b : !whole
  %c = sbp.cast %x : !terms to !rows
  %w = nn.tanh %c : !rows
  return %u, %v, %w : !fewer, !whole, !rows
}
