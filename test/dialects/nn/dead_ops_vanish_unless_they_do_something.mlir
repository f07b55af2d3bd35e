// RUN: sbp-opt %s --canonicalize | FileCheck %s

nn.parameter @w : tensor<4xf32> = #nn.ones

// CHECK-LABEL: func.func private @layer
func.func private @layer(%x: tensor<4xf32>) -> tensor<4xf32> {
  %w = nn.get @w : tensor<4xf32>
  nn.set @w, %x : tensor<4xf32>
  return %w : tensor<4xf32>
}

// CHECK-LABEL: func.func @results_without_use
//  CHECK-NEXT: call @layer
//  CHECK-NEXT: nn.repeat
//  CHECK-NEXT: nn.set @w
//  CHECK-NEXT: return
func.func @results_without_use(%x: tensor<4xf32>, %i: tensor<2xi32>, %t: tensor<3x4xf32>) {
  %0 = func.call @layer(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = nn.repeat 2 @layer() : () -> tensor<4xf32>
  %2 = nn.get @w : tensor<4xf32>
  %3 = nn.exp %x : tensor<4xf32>
  %4 = nn.einsum "i,i->i" %3, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %5 = nn.embedding %t, %i : (tensor<3x4xf32>, tensor<2xi32>) -> tensor<2x4xf32>
  %6 = nn.iota dim 0 : () -> tensor<4xi32>
  nn.set @w, %x : tensor<4xf32>
  return
}
