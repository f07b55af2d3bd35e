// RUN: sbp-opt %s --sbp-localize | FileCheck %s

// The op of a part has the marks of the op that it is a part of, also where the op builds it
// anew: they tell gradients from activations, and name what ops belong to.

sbp.machine @line [#sbp.level<"gpu" x 2, alpha = 2.0e-5, beta = 8.0e-11>]

// CHECK-LABEL: func.func @f
// CHECK: nn.embedding_grad {{.*}} {nn.adjoint_of = 3 : i64} : {{.*}} -> tensor<4x8xf32>
// CHECK: nn.iota from {{.*}} dim 0 {nn.id = 4 : i64} : {{.*}} -> tensor<2xi32>
func.func @f(%ids: tensor<6xi32, #sbp.nd<@line, [B]>> {nn.input = "ids"},
             %g: tensor<6x8xf32, #sbp.nd<@line, [B]>> {nn.input = "g"})
    -> (tensor<8x8xf32, #sbp.nd<@line, [S(0)]>> {nn.output = "table"},
        tensor<4xi32, #sbp.nd<@line, [S(0)]>> {nn.output = "i"}) {
  %table = nn.embedding_grad %ids, %g {nn.adjoint_of = 3 : i64}
      : (tensor<6xi32, #sbp.nd<@line, [B]>>, tensor<6x8xf32, #sbp.nd<@line, [B]>>)
     -> tensor<8x8xf32, #sbp.nd<@line, [S(0)]>>
  %i = nn.iota dim 0 {nn.id = 4 : i64} : () -> tensor<4xi32, #sbp.nd<@line, [S(0)]>>
  return %table, %i : tensor<8x8xf32, #sbp.nd<@line, [S(0)]>>, tensor<4xi32, #sbp.nd<@line, [S(0)]>>
}
