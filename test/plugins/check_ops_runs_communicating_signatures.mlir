// RUN: sbpc check-ops %s --op nn.pool --op nn.einsum --load-dialect-plugin %plugins/halo/halo.so --load-dialect-plugin %plugins/summa/summa.so | FileCheck %s --check-prefix=RIGHT
// RUN: not sbpc check-ops %s --op nn.convolution --op nn.einsum --load-dialect-plugin %fixtures/planted_ways/planted_ways.so 2>&1 >%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=WRONG --input-file %t
// RUN: not sbpc check-ops --load-dialect-plugin %plugins/summa/summa.so 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not sbpc check-ops 2>&1 | FileCheck %s --check-prefix=NEITHER

// The ways to run ops that plug-ins add are run like the signatures that follow from loops, of
// which there are 464 and 480 choices. A halo that is exchanged with one neighbour alone is
// found, and a product that lacks a panel.

// RIGHT: nn.pool 8 478 8 0 right
// RIGHT: nn.einsum 8 498 16 0 right
// WRONG: nn.convolution wrong
// WRONG: nn.einsum wrong
// NONE: error: there is no op to check: the plug-ins that are loaded have none that declares its loops (DistributedOpInterface); name a model that has ops
// NEITHER: error: there is no op to check; name a model, or a plug-in with --load-dialect-plugin

func.func @convolution(%x: tensor<2x3x8xf32>, %w: tensor<4x3x3xf32>) -> tensor<2x4x8xf32> {
  // CHECK: [[# @LINE + 1]]:8: error: 'nn.convolution' op is wrong by the signature (S(2), B) -> (S(2)), which getCommunicatingSignatures adds, on a mesh of 2
  %y = nn.convolution %x, %w low [1] high [1]
     : (tensor<2x3x8xf32>, tensor<4x3x3xf32>) -> tensor<2x4x8xf32>
  return %y : tensor<2x4x8xf32>
}

func.func @pool(%x: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %y = nn.pool mean %x over [3] low [1] high [1] : (tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  return %y : tensor<2x3x8xf32>
}

func.func @product(%x: tensor<8x12xf32>, %w: tensor<12x9xf32>) -> tensor<8x9xf32> {
  // CHECK: [[# @LINE + 1]]:8: error: 'nn.einsum' op is wrong by the signature (S(0), S(0)) -> (S(0)), which getCommunicatingSignatures adds, on a mesh of 2
  %y = nn.einsum "bi,ij->bj" %x, %w : (tensor<8x12xf32>, tensor<12x9xf32>) -> tensor<8x9xf32>
  return %y : tensor<8x9xf32>
}
