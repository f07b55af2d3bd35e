// A model on one device and split over four ranks computes the same. Tensors have small
// integers, so that the order of additions does not matter.

// RUN: sbp-interpret %s --entry loss --fill x=3 > %t.whole
// RUN: sbp-opt %s --sbp-place --sbp-insert-boxing --sbp-localize | sbp-interpret - --entry loss --fill x=3 > %t.ranks
// RUN: cmp %t.whole %t.ranks
// RUN: FileCheck %s < %t.ranks

sbp.machine @cluster [
  #sbp.level<"node" x 2, alpha = 2.0e-5, beta = 8.0e-11>,
  #sbp.level<"gpu" x 2, alpha = 5.0e-6, beta = 5.0e-12>]

nn.parameter @w1 : tensor<5x7xf32> = #nn.constant<2.0>
  {sbp.pin = #sbp.nd<@cluster, [B, S(1)]>}
nn.parameter @w2 : tensor<7x3xf32> = #nn.constant<-1.0>
  {sbp.pin = #sbp.nd<@cluster, [B, S(0)]>}

// CHECK: loss: tensor<f32> = -1890
func.func @loss(
    %x: tensor<3x5xf32> {nn.input = "x", sbp.pin = #sbp.nd<@cluster, [S(0), B]>})
    -> (tensor<f32> {nn.output = "loss"}) {
  %w1 = nn.get @w1 : tensor<5x7xf32>
  %h = nn.einsum "bi,ij->bj" %x, %w1
     : (tensor<3x5xf32>, tensor<5x7xf32>) -> tensor<3x7xf32>
  %a = nn.relu %h : tensor<3x7xf32>
  %w2 = nn.get @w2 : tensor<7x3xf32>
  %y = nn.einsum "bj,jk->bk" %a, %w2
     : (tensor<3x7xf32>, tensor<7x3xf32>) -> tensor<3x3xf32>
  %loss = nn.reduce sum %y over [0, 1] : tensor<3x3xf32> -> tensor<f32>
  return %loss : tensor<f32>
}
