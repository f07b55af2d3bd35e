// RUN: sbp-opt %s --canonicalize | FileCheck %s

sbp.machine @m [#sbp.level<"gpu" x 2, alpha = 2.0e-6, beta = 2.0e-10>]
sbp.mesh @front of @m ranks [0] [#sbp.axis<"data" x 1 in "gpu">]

!rows = tensor<4x8xf32, #sbp.nd<@m, [S(0)]>>
!columns = tensor<4x8xf32, #sbp.nd<@m, [S(1)]>>
!all = tensor<4x8xf32, #sbp.nd<@m, [B]>>
!terms = tensor<4x8xf32, #sbp.nd<@m, [P(sum)]>>
!there = tensor<4x8xf32, #sbp.nd<@front, [B]>>

// CHECK-LABEL: func.func @requests_of_what_is_there
//  CHECK-SAME: (%[[X:[^:]*]]:
//  CHECK-NEXT: return %[[X]], %[[X]]
func.func @requests_of_what_is_there(%x: !rows) -> (!rows, !rows) {
  %a = sbp.cast %x : !rows to !rows
  %b = sbp.box %x : !rows to !rows
  return %a, %b : !rows, !rows
}

// CHECK-LABEL: func.func @requests_of_requests
//  CHECK-SAME: (%[[X:[^:]*]]:
//  CHECK-NEXT: %[[A:.*]] = sbp.cast %[[X]] : {{.*}}#S0_m> to {{.*}}#S1_m>
//  CHECK-NEXT: return %[[A]], %[[X]]
func.func @requests_of_requests(%x: !rows) -> (!columns, !rows) {
  %0 = sbp.cast %x : !rows to !all
  %a = sbp.cast %0 : !all to !columns
  %b = sbp.cast %0 : !all to !rows
  return %a, %b : !columns, !rows
}

// CHECK-LABEL: func.func @pins_stay
//       CHECK: %[[A:.*]] = sbp.cast pinned
//       CHECK: %[[P:.*]] = sbp.cast pinned
//       CHECK: %[[B:.*]] = sbp.cast %[[P]]
//       CHECK: return %[[A]], %[[B]]
func.func @pins_stay(%x: !rows) -> (!rows, !columns) {
  %a = sbp.cast pinned %x : !rows to !rows
  %p = sbp.cast pinned %x : !rows to !all
  %b = sbp.cast %p : !all to !columns
  return %a, %b : !rows, !columns
}

// CHECK-LABEL: func.func @pins_of_pins_stay
// CHECK-COUNT-2: sbp.pin
//       CHECK: return
func.func @pins_of_pins_stay(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %p = sbp.pin %x : tensor<4x8xf32> to #sbp.nd<@m, [S(0)]>
  %q = sbp.pin %p : tensor<4x8xf32> to #sbp.nd<@m, [B]>
  return %q : tensor<4x8xf32>
}

// A reduce-scatter may add in another order than an all-reduce; and -0 as a term among
// zeros becomes 0.

// CHECK-LABEL: func.func @sums_stay_where_they_are
// CHECK-COUNT-4: sbp.cast
//       CHECK: return
func.func @sums_stay_where_they_are(%x: !terms, %y: !all) -> (!rows, !all) {
  %0 = sbp.cast %x : !terms to !all
  %a = sbp.cast %0 : !all to !rows
  %1 = sbp.cast %y : !all to !terms
  %b = sbp.cast %1 : !terms to !all
  return %a, %b : !rows, !all
}

// CHECK-LABEL: func.func @transfers_stay
// CHECK-COUNT-2: sbp.cast
//       CHECK: return
func.func @transfers_stay(%x: !all) -> !all {
  %0 = sbp.cast %x : !all to !there
  %a = sbp.cast %0 : !there to !all
  return %a : !all
}

// Boxing has decided the way, perhaps by a pin.

// CHECK-LABEL: func.func @movements_stay
// CHECK-COUNT-2: sbp.box
//       CHECK: return
func.func @movements_stay(%x: !rows) -> !columns {
  %0 = sbp.box %x : !rows to !all
  %a = sbp.box %0 : !all to !columns
  return %a : !columns
}

// CHECK-LABEL: func.func @what_no_one_uses_vanishes
//  CHECK-NEXT: sbp.depart
//  CHECK-NEXT: return
func.func @what_no_one_uses_vanishes(%x: !rows, %y: tensor<4xf32>) {
  %0 = sbp.cast pinned %x : !rows to !all
  %1 = sbp.box %x : !rows to !columns
  %2 = sbp.pin %y : tensor<4xf32> to #sbp.nd<@m, [S(0)]>
  sbp.depart %y : tensor<4xf32>
  return
}
