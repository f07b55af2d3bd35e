// RUN: sbp-opt %s --sbp-insert-boxing --canonicalize --sbp-verify-boxed | FileCheck %s

sbp.machine @m [#sbp.level<"gpu" x 4, alpha = 1.0e-6, beta = 1.0e-10>]

!partial = tensor<64x64xf32, #sbp.nd<@m, [P(sum)]>>
!whole = tensor<64x64xf32, #sbp.nd<@m, [B]>>
!rows = tensor<64x64xf32, #sbp.nd<@m, [S(0)]>>

// CHECK-LABEL: func @two_uses_share_one_movement
//       CHECK:   %[[SUM:.*]] = sbp.box
//       CHECK:   nn.relu %[[SUM]]
//   CHECK-NOT:   sbp.box
//       CHECK:   nn.tanh %[[SUM]]
func.func @two_uses_share_one_movement(%x: !partial) -> (!whole, !whole) {
  %a = sbp.cast %x : !partial to !whole
  %y = nn.relu %a : !whole
  %b = sbp.cast %x : !partial to !whole
  %z = nn.tanh %b : !whole
  return %y, %z : !whole, !whole
}

// CHECK-LABEL: func @a_second_placement_starts_from_the_first
//       CHECK:   %[[ROWS:.*]] = sbp.box {{.*}}[P(sum)]>> to {{.*}}[S(0)]>>
//       CHECK:   sbp.box %[[ROWS]] : {{.*}}[S(0)]>> to {{.*}}[B]>>
func.func @a_second_placement_starts_from_the_first(%x: !partial) -> (!rows, !whole) {
  %a = sbp.cast %x : !partial to !rows
  %y = nn.relu %a : !rows
  %b = sbp.cast %x : !partial to !whole
  %z = nn.tanh %b : !whole
  return %y, %z : !rows, !whole
}

// CHECK-LABEL: func @a_cast_and_back_moves_nothing
//   CHECK-NOT:   sbp.box
//       CHECK:   return
func.func @a_cast_and_back_moves_nothing(%x: !whole) -> !whole {
  %a = sbp.cast %x : !whole to !rows
  %b = sbp.cast %a : !rows to !whole
  %z = nn.tanh %b : !whole
  return %z : !whole
}
