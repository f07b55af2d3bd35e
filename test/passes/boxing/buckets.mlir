// RUN: sbp-opt %s --sbp-insert-boxing --sbp-verify-boxed | FileCheck %s --check-prefix=BOXED
// RUN: sbp-opt %s --sbp-insert-boxing --sbp-localize | FileCheck %s --check-prefix=LOCAL

// Small tensors between gradients, the optimiser and parameters share messages. All
// gradients have 32 KB here, which is less than hides the latency.

sbp.machine @m [#sbp.level<"node" x 2, alpha = 2.0e-5, beta = 8.0e-11>]

!terms = tensor<64x64xf32, #sbp.nd<@m, [P(sum)]>>
!rows = tensor<64x64xf32, #sbp.nd<@m, [S(0)]>>
!whole = tensor<64x64xf32, #sbp.nd<@m, [B]>>
!rate = tensor<f32, #sbp.nd<@m, [B]>>

nn.parameter @w : !whole = #nn.normal<0.02>
nn.parameter @v : !whole = #nn.normal<0.02>

// BOXED-LABEL: func @a_gradient_and_a_new_value_wait_for_others
//       BOXED:   sbp.box bucketed %{{.*}} : {{.*}}#Psum_{{[a-z0-9]+}}> to {{.*}}#S0_{{[a-z0-9]+}}>
//       BOXED:   nn.sgd
//       BOXED:   sbp.box bucketed %{{.*}} : {{.*}}#S0_{{[a-z0-9]+}}> to {{.*}}#B_{{[a-z0-9]+}}>
// LOCAL-LABEL: func.func @a_gradient_and_a_new_value_wait_for_others
//       LOCAL:   rank.reduce_scatter {{.*}} {rank.bucket = array<i64: 0, 16384, 32768>}
//       LOCAL:   rank.all_gather {{.*}} {rank.bucket = array<i64: 0, 16384, 32768>}
func.func @a_gradient_and_a_new_value_wait_for_others(
    %g: !terms {nn.input = "g"}, %h: !whole {nn.input = "h"}, %lr: !rate {nn.input = "lr"}) {
  %w = nn.get @w : !whole
  %part = sbp.cast %w : !whole to !rows
  %sum = sbp.cast %g : !terms to !rows
  %new = nn.sgd %part, %sum, %lr {weight_decay = 0.0 : f64}
     : (!rows, !rows, !rate) -> !rows
  %next = sbp.cast %new : !rows to !whole
  nn.set @w, %next : !whole
  %v = nn.get @v : !whole
  %other = nn.sgd %v, %h, %lr {weight_decay = 0.0 : f64} : (!whole, !whole, !rate) -> !whole
  nn.set @v, %other : !whole
  return
}

// BOXED-LABEL: func @what_others_use_travels_alone
//   BOXED-NOT:   bucketed
// LOCAL-LABEL: func.func @what_others_use_travels_alone
//   LOCAL-NOT:   rank.bucket
func.func @what_others_use_travels_alone(
    %g: !terms {nn.input = "g"}, %lr: !rate {nn.input = "lr"}) -> (!whole {nn.output = "norm"}) {
  %w = nn.get @w : !whole
  %sum = sbp.cast %g : !terms to !whole
  %square = nn.mul %sum, %sum : (!whole, !whole) -> !whole
  %new = nn.sgd %w, %sum, %lr {weight_decay = 0.0 : f64}
     : (!whole, !whole, !rate) -> !whole
  nn.set @w, %new : !whole
  return %square : !whole
}

// A gradient may pass a cast on its way to the optimiser, or a multiplication by a
// scalar.

// BOXED-LABEL: func @what_finishes_a_gradient_waits_too
//       BOXED:   sbp.box bucketed %{{.*}} : tensor<64x64xbf16, #Psum_m> to tensor<64x64xbf16, #S0_m>
//       BOXED:   nn.cast
//       BOXED:   nn.mul
//       BOXED:   nn.sgd
func.func @what_finishes_a_gradient_waits_too(
    %g: tensor<64x64xbf16, #sbp.nd<@m, [P(sum)]>> {nn.input = "g"},
    %factor: !rate {nn.input = "factor"}, %lr: !rate {nn.input = "lr"}) {
  %w = nn.get @w : !whole
  %part = sbp.cast %w : !whole to !rows
  %sum = sbp.cast %g : tensor<64x64xbf16, #sbp.nd<@m, [P(sum)]>> to tensor<64x64xbf16, #sbp.nd<@m, [S(0)]>>
  %exact = nn.cast %sum : tensor<64x64xbf16, #sbp.nd<@m, [S(0)]>> -> !rows
  %scaled = nn.mul %factor, %exact : (!rate, !rows) -> !rows
  %new = nn.sgd %part, %scaled, %lr {weight_decay = 0.0 : f64} : (!rows, !rows, !rate) -> !rows
  %next = sbp.cast %new : !rows to !whole
  nn.set @w, %next : !whole
  return
}
