// RUN: sbp-opt %s --sbp-differentiate --verify-roundtrip | FileCheck %s --check-prefixes=BOTH,WHOLE
// RUN: sed 's/sbp.stage = /sbp.split_backward, sbp.stage = /' %s > %t.split
// RUN: sbp-opt %t.split --sbp-differentiate --verify-roundtrip | FileCheck %s --check-prefixes=BOTH,SPLIT
// RUN: sed 's/sbp.stage = /sbp.keep = #sbp.keep<inputs>, sbp.stage = /' %s > %t.recompute
// RUN: sbp-opt %t.recompute --sbp-differentiate --verify-roundtrip | FileCheck %s --check-prefixes=BOTH,AGAIN
// RUN: sed 's/sbp.stage = /sbp.keep = #sbp.keep<inputs>, sbp.split_backward, sbp.stage = /' %s > %t.both
// RUN: sbp-opt %t.both --sbp-differentiate --verify-roundtrip | FileCheck %s --check-prefixes=BOTH,SPLITAGAIN

nn.parameter @w : tensor<4x4xf32> = #nn.normal<0.02>
nn.parameter @v : tensor<4x4xf32> = #nn.normal<0.02>

// A layer that stages call has no kind. The first half of its backward pass returns the
// values that the second half needs.

// BOTH-LABEL: func.func private @layer.forward(
//  BOTH-SAME:   -> (tensor<2x4xf32>, tensor<2x4xf32>) {
//      WHOLE: func.func private @layer.backward(
//  WHOLE-NOT:   @layer.backward.
//      SPLIT: func.func private @layer.backward.input(
// SPLIT-SAME:     %[[H:[^:]*]]: tensor<2x4xf32>, %[[W:[^:]*]]: tensor<4x4xf32>, %[[G:[^:]*]]: tensor<2x4xf32> {nn.gradient_of = 0 : i64})
// SPLIT-SAME:     -> (tensor<2x4xf32> {nn.gradient_of = 0 : i64}, tensor<2x4xf32>) {
// SPLIT-NEXT:   %[[DH:.*]] = nn.silu_grad %[[H]], %[[G]]
// SPLIT-NEXT:   %[[DX:.*]] = nn.einsum "bj,ij->bi" %[[DH]], %[[W]]
// SPLIT-NEXT:   return %[[DX]], %[[DH]]
//      SPLIT: func.func private @layer.backward.weight(
// SPLIT-SAME:     %[[X:[^:]*]]: tensor<2x4xf32>, %[[DH:[^:]*]]: tensor<2x4xf32>)
// SPLIT-SAME:     -> (tensor<4x4xf32> {nn.gradient_of = 1 : i64}) {
// SPLIT-NEXT:   %[[DW:.*]] = nn.einsum "bi,bj->ij" %[[X]], %[[DH]]
// SPLIT-NEXT:   return %[[DW]]
func.func private @layer(%x: tensor<2x4xf32>, %w: tensor<4x4xf32>) -> tensor<2x4xf32> {
  %h = nn.einsum "bi,ij->bj" %x, %w : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  %y = nn.silu %h : tensor<2x4xf32>
  return %y : tensor<2x4xf32>
}

// The first stage returns no gradient of its input, so its second half does all the work.
// There the first gradient in the layer, that of %x, is missing.

//      WHOLE: func.func private @stage0.forward({{.*}} attributes {sbp.kind = #sbp.kind<F>, sbp.stage = 0 : i64}
//      WHOLE: func.func private @stage0.backward({{.*}} attributes {sbp.kind = #sbp.kind<B>, sbp.stage = 0 : i64}
//      SPLIT: func.func private @stage0.forward({{.*}} attributes {sbp.kind = #sbp.kind<F>, sbp.stage = 0 : i64}
//      SPLIT: func.func private @stage0.backward.input() attributes {sbp.kind = #sbp.kind<I>, sbp.stage = 0 : i64} {
// SPLIT-NEXT:   return
//      SPLIT: func.func private @stage0.backward.weight({{.*}} attributes {sbp.kind = #sbp.kind<W>, sbp.stage = 0 : i64}
func.func private @stage0(%x: tensor<2x4xf32>, %w: tensor<4x4xf32>) -> tensor<2x4xf32>
    attributes {sbp.stage = 0} {
  %y = call @layer(%x, %w) : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  return %y : tensor<2x4xf32>
}

// The halves of a stage's backward pass call the halves of its layers.

//      SPLIT: func.func private @stage1.backward.input(
// SPLIT-SAME:     attributes {sbp.kind = #sbp.kind<I>, sbp.stage = 1 : i64}
//      SPLIT:   %[[G2:.*]]:2 = call @layer.backward.input
// SPLIT-NEXT:   %[[G1:.*]]:2 = call @layer.backward.input({{.*}}, %[[G2]]#0)
// SPLIT-NEXT:   return %[[G1]]#0, %[[G2]]#1, %[[G1]]#1
//      SPLIT: func.func private @stage1.backward.weight(
// SPLIT-SAME:     -> (tensor<4x4xf32> {nn.gradient_of = 1 : i64}, tensor<4x4xf32>)
// SPLIT-SAME:     attributes {sbp.kind = #sbp.kind<W>, sbp.stage = 1 : i64}
// SPLIT-NEXT:   call @layer.backward.weight
// SPLIT-NEXT:   call @layer.backward.weight
// SPLIT-NEXT:   return

// A forward function that saves nothing, and one that computes the saved values.

//      AGAIN: func.func private @stage1.forward(
// AGAIN-SAME:     -> tensor<2x4xf32> attributes {sbp.kind = #sbp.kind<F>, sbp.stage = 1 : i64}
//      AGAIN: func.func private @stage1.recompute(
// AGAIN-SAME:     -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) attributes {nn.recomputes, sbp.kind = #sbp.kind<R>, sbp.stage = 1 : i64}
//      AGAIN: func.func private @stage1.backward({{.*}} attributes {sbp.kind = #sbp.kind<B>, sbp.stage = 1 : i64}
func.func private @stage1(%x: tensor<2x4xf32>, %w: tensor<4x4xf32>) -> tensor<2x4xf32>
    attributes {sbp.stage = 1} {
  %v = nn.get @v : tensor<4x4xf32>
  %h = call @layer(%x, %w) : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  %y = call @layer(%h, %v) : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  return %y : tensor<2x4xf32>
}

// Recomputations are before their backward passes, and repeat the same op.

//      WHOLE: func.func @train_step
//      WHOLE:   call @stage1.backward
//      WHOLE:   call @stage0.backward
//      SPLIT: func.func @train_step
//      SPLIT:   %[[I:.*]]:3 = call @stage1.backward.input({{.*}}) {nn.adjoint_of = [[ID:[0-9]+]] : i64}
// SPLIT-NEXT:   call @stage1.backward.weight({{.*}}%[[I]]#1, {{.*}}%[[I]]#2) {nn.adjoint_of = [[ID]] : i64}
// SPLIT-NEXT:   call @stage0.backward.input()
// SPLIT-NEXT:   call @stage0.backward.weight({{.*}}%[[I]]#0
//      AGAIN: func.func @train_step(%[[X:.*]]: tensor<2x4xf32> {nn.input = "x"}
//      AGAIN:   %[[H:.*]] = call @stage0.forward(
//      AGAIN:   call @stage1.forward(%[[H]], %{{.*}}) {nn.id = [[ID:[0-9]+]] : i64}
//      AGAIN:   %[[R1:.*]]:3 = call @stage1.recompute(%[[H]], %{{.*}}) {nn.id = [[ID]] : i64}
// AGAIN-NEXT:   call @stage1.backward({{.*}}%[[R1]]#{{.*}}) {nn.adjoint_of = [[ID]] : i64}
//      AGAIN:   %[[R0:.*]] = call @stage0.recompute(%[[X]], %{{.*}})
// AGAIN-NEXT:   call @stage0.backward({{.*}}%[[R0]]
//      SPLITAGAIN: func.func @train_step
//      SPLITAGAIN:   %[[R1:.*]]:3 = call @stage1.recompute(
// SPLITAGAIN-NEXT:   call @stage1.backward.input({{.*}}%[[R1]]#
// SPLITAGAIN-NEXT:   call @stage1.backward.weight({{.*}}%[[R1]]#
//      SPLITAGAIN:   %[[R0:.*]] = call @stage0.recompute(
// SPLITAGAIN-NEXT:   call @stage0.backward.input()
// SPLITAGAIN-NEXT:   call @stage0.backward.weight({{.*}}%[[R0]]
func.func @loss(%x: tensor<2x4xf32> {nn.input = "x"}, %t: tensor<2x4xf32> {nn.input = "t"}) -> tensor<f32>
    attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<4x4xf32>
  %h = call @stage0(%x, %w) : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  %y = call @stage1(%h, %w) : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  %loss = nn.mse %y, %t : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}
