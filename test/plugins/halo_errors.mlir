// RUN: sbp-opt %s --load-dialect-plugin=%plugins/halo/halo.so --sbp-localize --split-input-file --verify-diagnostics

sbp.machine @line [#sbp.level<"gpu" x 4, alpha = 2.0e-5, beta = 8.0e-11>]

// 6 outputs over 4 devices: with a stride of 2, the parts of inputs and outputs do not
// begin at the same fraction of their extents.
func.func @unequal(%x: tensor<2x3x12x8xf32, #sbp.nd<@line, [S(2)]>>)
    -> tensor<2x3x6x4xf32, #sbp.nd<@line, [S(2)]>> {
  // expected-error @+1 {{fetches parts of tensors itself, by signatures that cannot be combined on this mesh: (S(2)) -> (S(2))}}
  %y = nn.pool max %x over [2, 2] strides [2, 2]
     : (tensor<2x3x12x8xf32, #sbp.nd<@line, [S(2)]>>)
    -> tensor<2x3x6x4xf32, #sbp.nd<@line, [S(2)]>>
  return %y : tensor<2x3x6x4xf32, #sbp.nd<@line, [S(2)]>>
}
