// RUN: sbp-opt %s --sbp-to-boxed 2> /dev/null | FileCheck %s
// RUN: sbpc %s --emit boxed 2> /dev/null | FileCheck %s
// RUN: sbp-opt %s --sbp-to-boxed 2> /dev/null > %t
// RUN: sbp-opt %t | diff %t -

// Tensors keep the names of the text, derived tensors have names made from them, and
// placements have aliases. The printed text can be parsed and prints the same.

//       CHECK: #B_m = #sbp.nd<@m, [B]>
//       CHECK: #S1_m = #sbp.nd<@m, [S(1)]>
//       CHECK: sbp.machine @m [#sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 2.5e-10>] device #sbp.device<memory = 24000000000, bandwidth = 1.0e9, rates = [#sbp.rate<f32, 1.0e12>]>
//       CHECK: nn.parameter @up : tensor<4x6xf32, #S1_m> = #nn.normal<0.5>
// CHECK-LABEL: func.func @loss(%x: tensor<8x4xf32, #B_m>
//       CHECK:   %weights = nn.get @up : tensor<4x6xf32, #S1_m>
//       CHECK:   %hidden = nn.einsum "bi,ij->bj" %x, %weights
// CHECK-LABEL: func.func @train_step(%x:
//  CHECK-SAME:   %learning_rate:
//       CHECK:   %gradient_of_hidden = nn.
//       CHECK:   %gradient_of_up = nn.einsum

sbp.machine @m [#sbp.level<"gpu" x 2, alpha = 0.000001, beta = 2.5e-10>]
    device #sbp.device<memory = 24GB, bandwidth = 1.0e9, rates = [#sbp.rate<f32, 1.0e12>]>
nn.parameter @up : tensor<4x6xf32> = #nn.normal<0.5> {sbp.pin = #sbp.nd<@m, [S(1)]>}
func.func @loss(%x: tensor<8x4xf32> {nn.input = "x", sbp.pin = #sbp.nd<@m, [B]>})
    -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.sgd} {
  %weights = nn.get @up : tensor<4x6xf32>
  %hidden = nn.einsum "bi,ij->bj" %x, %weights : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  %active = nn.relu %hidden : tensor<8x6xf32>
  %loss = nn.reduce mean %active over [0, 1] : tensor<8x6xf32> -> tensor<f32>
  return %loss : tensor<f32>
}
