// Axes of one device have no choices, so they add nothing to the time of the search.
//
// RUN: sbp-opt %s --sbp-to-local | FileCheck %s
// RUN: sbp-opt %s --sbp-to-local=place-by=propagation | FileCheck %s

sbp.machine @m [
  #sbp.level<"l0" x 1, alpha = 1.0e-6, beta = 1.0e-10>, #sbp.level<"l1" x 1, alpha = 1.0e-6, beta = 1.0e-10>,
  #sbp.level<"l2" x 1, alpha = 1.0e-6, beta = 1.0e-10>, #sbp.level<"l3" x 1, alpha = 1.0e-6, beta = 1.0e-10>,
  #sbp.level<"l4" x 1, alpha = 1.0e-6, beta = 1.0e-10>, #sbp.level<"l5" x 1, alpha = 1.0e-6, beta = 1.0e-10>,
  #sbp.level<"l6" x 1, alpha = 1.0e-6, beta = 1.0e-10>, #sbp.level<"l7" x 1, alpha = 1.0e-6, beta = 1.0e-10>,
  #sbp.level<"l8" x 1, alpha = 1.0e-6, beta = 1.0e-10>, #sbp.level<"l9" x 1, alpha = 1.0e-6, beta = 1.0e-10>,
  #sbp.level<"l10" x 1, alpha = 1.0e-6, beta = 1.0e-10>, #sbp.level<"l11" x 1, alpha = 1.0e-6, beta = 1.0e-10>,
  #sbp.level<"l12" x 1, alpha = 1.0e-6, beta = 1.0e-10>, #sbp.level<"l13" x 2, alpha = 1.0e-6, beta = 1.0e-10>,
  #sbp.level<"l14" x 1, alpha = 1.0e-6, beta = 1.0e-10>, #sbp.level<"l15" x 1, alpha = 1.0e-6, beta = 1.0e-10>,
  #sbp.level<"l16" x 1, alpha = 1.0e-6, beta = 1.0e-10>, #sbp.level<"l17" x 1, alpha = 1.0e-6, beta = 1.0e-10>,
  #sbp.level<"l18" x 1, alpha = 1.0e-6, beta = 1.0e-10>, #sbp.level<"l19" x 1, alpha = 1.0e-6, beta = 1.0e-10>,
  #sbp.level<"l20" x 1, alpha = 1.0e-6, beta = 1.0e-10>, #sbp.level<"l21" x 1, alpha = 1.0e-6, beta = 1.0e-10>,
  #sbp.level<"l22" x 1, alpha = 1.0e-6, beta = 1.0e-10>, #sbp.level<"l23" x 1, alpha = 1.0e-6, beta = 1.0e-10>,
  #sbp.level<"l24" x 1, alpha = 1.0e-6, beta = 1.0e-10>, #sbp.level<"l25" x 1, alpha = 1.0e-6, beta = 1.0e-10>,
  #sbp.level<"l26" x 1, alpha = 1.0e-6, beta = 1.0e-10>, #sbp.level<"l27" x 1, alpha = 1.0e-6, beta = 1.0e-10>]

// CHECK: func.func @a_pin_on_an_idle_axis_moves_nothing(%{{.*}}: tensor<8x4xf32>
// CHECK-NEXT: nn.relu
// CHECK-NEXT: return
func.func @a_pin_on_an_idle_axis_moves_nothing(
    %x: tensor<8x8xf32> {nn.input = "x", sbp.pin = #sbp.nd<@m, [B, B, B, B, B, B, B, B, B, B, B, B, B, S(1), B, B, B, B, B, B, B, B, B, B, B, B, B, B]>})
    -> (tensor<8x8xf32> {nn.output = "y"}) {
  %y = nn.relu %x : tensor<8x8xf32>
  %z = sbp.pin %y : tensor<8x8xf32> to #sbp.nd<@m, [S(0), B, B, B, B, B, B, B, B, B, B, B, B, S(1), B, B, B, B, B, B, B, B, B, B, B, B, B, B]>
  return %z : tensor<8x8xf32>
}
