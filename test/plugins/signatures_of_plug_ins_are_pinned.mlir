// RUN: sbp-opt %s --load-dialect-plugin=%plugins/summa/summa.so --sbp-to-placed | FileCheck %s
// RUN: sed 's/signature = .*>}/signature = #sbp.signature<[(S(0), S(0)) -> (S(0)), (S(1), S(0)) -> (P(sum))]>}/' %s > %t.mlir
// RUN: not sbp-opt %t.mlir --load-dialect-plugin=%plugins/summa/summa.so --sbp-to-placed 2>&1 | FileCheck %s --check-prefix=APART
// RUN: not sbp-opt %s --sbp-to-placed 2>&1 | FileCheck %s --check-prefix=WITHOUT

// An op is pinned to signatures of a plug-in, by which it communicates itself, if they can be
// combined on the mesh. Without the plug-in they are none of its signatures.

sbp.machine @grid [#sbp.level<"row" x 2, alpha = 2.0e-5, beta = 8.0e-11>,
                   #sbp.level<"column" x 3, alpha = 5.0e-6, beta = 5.0e-12>]

// CHECK: nn.einsum "bi,ij->bj" {{.*}} : (tensor<8x12xf32, #S0_S1_grid>, tensor<12x9xf32, #S0_S1_grid>) -> tensor<8x9xf32, #S0_S1_grid>
//   APART: error: 'nn.einsum' op fetches parts of tensors itself, by signatures that cannot be combined on this mesh: (S(0), S(0)) -> (S(0)); (S(1), S(0)) -> (P(sum))
// WITHOUT: error: 'nn.einsum' op is pinned to the signature (S(0), S(0)) -> (S(0)) (mesh axis 0), which it does not have
func.func @product(%x: tensor<8x12xf32> {nn.input = "x"}, %w: tensor<12x9xf32> {nn.input = "w"})
    -> (tensor<8x9xf32> {nn.output = "y"}) {
  %y = nn.einsum "bi,ij->bj" %x, %w {sbp.signature = #sbp.signature<[(S(0), S(0)) -> (S(0)), (S(1), S(1)) -> (S(1))]>}
      : (tensor<8x12xf32>, tensor<12x9xf32>) -> tensor<8x9xf32>
  return %y : tensor<8x9xf32>
}
