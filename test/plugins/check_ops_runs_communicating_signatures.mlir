// RUN: sbpc check-ops %s | FileCheck %s --check-prefix=PLAIN
// RUN: sbpc check-ops %s --load-dialect-plugin %plugins/halo/halo.so --load-dialect-plugin %plugins/summa/summa.so | FileCheck %s --check-prefix=RIGHT
// RUN: not sbpc check-ops %s --load-dialect-plugin %fixtures/planted_ways/planted_ways.so 2>&1 >%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=WRONG --input-file %t

// The ways to run ops that plug-ins add are run like the signatures that follow from loops. A
// halo that is exchanged with one neighbour alone is found, and a product that lacks a panel.

// PLAIN: nn.convolution 8 512 16 0 right
// PLAIN: nn.einsum 8 480 16 0 right
// RIGHT: nn.convolution 8 542 16 0 right
// RIGHT: nn.einsum 8 498 16 0 right
// WRONG: nn.convolution wrong
// WRONG: nn.einsum wrong

func.func @convolution(%x: tensor<2x3x8x8xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<2x4x8x8xf32> {
  // CHECK: [[# @LINE + 1]]:8: error: 'nn.convolution' op is wrong by the signature (S(2), B) -> (S(2)), which getCommunicatingSignatures adds, on a mesh of 2
  %y = nn.convolution %x, %w low [1, 1] high [1, 1]
     : (tensor<2x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<2x4x8x8xf32>
  return %y : tensor<2x4x8x8xf32>
}

func.func @product(%x: tensor<8x12xf32>, %w: tensor<12x9xf32>) -> tensor<8x9xf32> {
  // CHECK: [[# @LINE + 1]]:8: error: 'nn.einsum' op is wrong by the signature (S(0), S(0)) -> (S(0)), which getCommunicatingSignatures adds, on a mesh of 2
  %y = nn.einsum "bi,ij->bj" %x, %w : (tensor<8x12xf32>, tensor<12x9xf32>) -> tensor<8x9xf32>
  return %y : tensor<8x9xf32>
}
