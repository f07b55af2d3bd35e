// RUN: sbp-opt %s --sbp-keep-in-layers=keep=inputs | FileCheck %s --check-prefixes=CHECK,INPUTS
// RUN: sbp-opt %s --sbp-keep-in-layers=keep=products | FileCheck %s --check-prefixes=CHECK,PRODUCTS
// RUN: sbp-opt %s --sbp-keep-in-layers > %t
// RUN: sbp-opt %s | diff %t -
// RUN: sbpc %s -n 1 --keep inputs --emit differentiated | FileCheck %s --check-prefix=AGAIN
// RUN: not sbpc %s -n 1 --keep norms 2>&1 | FileCheck %s --check-prefix=WORD
// RUN: sed 's/{nn.optimizer = #nn.sgd}/{}/' %s > %t.untrained
// RUN: not sbpc %t.untrained -n 1 --keep inputs 2>&1 | FileCheck %s --check-prefix=UNTRAINED

//      WORD: error: --keep: "norms" is none of all, products, inputs
// UNTRAINED: error: no function is to be trained, or it is differentiated already, so no layer can keep only its inputs

// The layers of the trained entry get marks; with `products`, those that they call do too.
// A mark that is there stays, and functions that only other entries call get none.

//    INPUTS: func.func private @inner({{.*}} -> tensor<4x4xf32> {
//  PRODUCTS: func.func private @inner({{.*}} attributes {sbp.keep = #sbp.keep<products>}
//    INPUTS: func.func private @outer({{.*}} attributes {sbp.keep = #sbp.keep<inputs>}
//  PRODUCTS: func.func private @outer({{.*}} attributes {sbp.keep = #sbp.keep<products>}
//     CHECK: func.func private @marked({{.*}} attributes {sbp.keep = #sbp.keep<all>}
//     CHECK: func.func private @of_another_entry({{.*}} -> tensor<4x4xf32> {

//     AGAIN: func.func private @outer.recompute(
// AGAIN-NOT: @marked.recompute

nn.parameter @w : tensor<4x4xf32> = #nn.normal<0.02>

func.func private @inner(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %y = nn.silu %x : tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}
func.func private @outer(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %h = call @inner(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %y = nn.silu %h : tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}
func.func private @marked(%x: tensor<4x4xf32>) -> tensor<4x4xf32>
    attributes {sbp.keep = #sbp.keep<all>} {
  %h = nn.silu %x : tensor<4x4xf32>
  %y = nn.silu %h : tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}
func.func private @of_another_entry(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %y = nn.silu %x : tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}
func.func @predict(%x: tensor<4x4xf32> {nn.input = "x"}) -> (tensor<4x4xf32> {nn.output = "y"}) {
  %y = call @of_another_entry(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}
func.func @loss(%x: tensor<4x4xf32> {nn.input = "x"}) -> tensor<f32>
    attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<4x4xf32>
  %a = call @outer(%w) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %b = call @marked(%a) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %loss = nn.mse %b, %x : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}
