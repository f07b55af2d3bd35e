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
//       CHECK:   %[[ROWS:.*]] = sbp.box {{.*}}#Psum_{{[a-z0-9]+}}> to {{.*}}#S0_{{[a-z0-9]+}}>
//       CHECK:   sbp.box %[[ROWS]] : {{.*}}#S0_{{[a-z0-9]+}}> to {{.*}}#B_{{[a-z0-9]+}}>
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

// CHECK-LABEL: func @what_stands_behind_a_pin_comes_from_the_pin
//  CHECK-SAME:   %[[X:.*]]: {{.*}}#Psum_
//       CHECK:   %[[ROWS:.*]] = sbp.box %[[X]] {{.*}} to {{.*}}#S0_{{[a-z0-9]+}}>
//       CHECK:   nn.relu %[[ROWS]]
//       CHECK:   %[[PINNED:.*]] = sbp.box %[[ROWS]] {{.*}} to {{.*}}#B_{{[a-z0-9]+}}>
//       CHECK:   %[[SLICED:.*]] = sbp.box %[[PINNED]] {{.*}} to {{.*}}#S0_{{[a-z0-9]+}}>
//       CHECK:   nn.tanh %[[SLICED]]
func.func @what_stands_behind_a_pin_comes_from_the_pin(%x: !partial) -> (!rows, !rows) {
  %a = sbp.cast %x : !partial to !rows
  %y = nn.relu %a : !rows
  %h = sbp.cast pinned %x : !partial to !whole
  %b = sbp.cast %h : !whole to !rows
  %z = nn.tanh %b : !rows
  return %y, %z : !rows, !rows
}

// The second pin is converted from the result of the first one, like any use of it.
// CHECK-LABEL: func @a_pin_behind_a_pin_is_laid_too
//       CHECK:   %[[FIRST:.*]] = sbp.box {{.*}}#S0_{{[a-z0-9]+}}> to {{.*}}#B_{{[a-z0-9]+}}>
//       CHECK:   %[[SECOND:.*]] = sbp.box %[[FIRST]] {{.*}}#B_{{[a-z0-9]+}}> to {{.*}}#S0_{{[a-z0-9]+}}>
//       CHECK:   nn.tanh %[[SECOND]]
func.func @a_pin_behind_a_pin_is_laid_too(%x: !rows) -> !rows {
  %first = sbp.cast pinned %x : !rows to !whole
  %second = sbp.cast pinned %first : !whole to !rows
  %z = nn.tanh %second : !rows
  return %z : !rows
}

// CHECK-LABEL: func @a_pin_of_what_lies_so_moves_nothing
//   CHECK-NOT:   sbp.box
//       CHECK:   return
func.func @a_pin_of_what_lies_so_moves_nothing(%x: !whole) -> !whole {
  %h = sbp.cast pinned %x : !whole to !whole
  %z = nn.tanh %h : !whole
  return %z : !whole
}

// CHECK-LABEL: func @a_pin_that_nobody_uses_asks_for_nothing
//   CHECK-NOT:   sbp.box
//       CHECK:   return
func.func @a_pin_that_nobody_uses_asks_for_nothing(%x: !whole) -> !whole {
  %first = sbp.cast pinned %x : !whole to !rows
  %second = sbp.cast pinned %first : !rows to !whole
  return %x : !whole
}
