// A function of which only the micro-batches are called is erased, also if one of
// its callers is written after it.
//
// RUN: sbp-opt %s --sbp-differentiate=micro-batches=2 | FileCheck %s

// CHECK-NOT: @b(
// CHECK-NOT: @c(

nn.parameter @w : tensor<4x4xf32> = #nn.normal<0.5>
func.func private @b(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %y = nn.relu %x : tensor<8x4xf32>
  return %y : tensor<8x4xf32>
}
func.func private @c(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %w = nn.get @w : tensor<4x4xf32>
  %h = nn.einsum "bi,ij->bj" %x, %w : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  %y = call @b(%h) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return %y : tensor<8x4xf32>
}
func.func @loss(%x: tensor<8x4xf32> {nn.input = "x"})
    -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.sgd} {
  %a = call @b(%x) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %y = call @c(%a) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %l = nn.reduce mean %y over [0, 1] : tensor<8x4xf32> -> tensor<f32>
  return %l : tensor<f32>
}
