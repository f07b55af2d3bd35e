// RUN: sbp-opt %s --split-input-file --verify-diagnostics

sbp.machine @line [#sbp.level<"gpu" x 4, alpha = 2.0e-5, beta = 8.0e-11>]

// Without the plug-in there is no such signature.
func.func @unequal(%x: tensor<2x3x16x8xf32, #sbp.nd<@line, [S(2)]>>)
    -> tensor<2x3x8x4xf32, #sbp.nd<@line, [S(2)]>> {
  // expected-error @+2 {{has no signature (S(2)) -> (S(2)) (mesh axis 0)}}
  // expected-note @+1 {{its signatures are}}
  %y = nn.pool max %x over [2, 2] strides [2, 2]
     : (tensor<2x3x16x8xf32, #sbp.nd<@line, [S(2)]>>)
    -> tensor<2x3x8x4xf32, #sbp.nd<@line, [S(2)]>>
  return %y : tensor<2x3x8x4xf32, #sbp.nd<@line, [S(2)]>>
}
