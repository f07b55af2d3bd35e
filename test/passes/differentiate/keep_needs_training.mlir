// RUN: sbp-opt %s --verify-diagnostics --sbp-differentiate

// Without a function to train, no layer has a backward pass to keep values for.

// expected-error @+1 {{has 'sbp.keep', but nothing that is trained calls it}}
func.func private @layer(%x: tensor<4xf32>) -> tensor<4xf32>
    attributes {sbp.keep = #sbp.keep<inputs>} {
  %y = nn.silu %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func @predict(%x: tensor<4xf32> {nn.input = "x"}) -> (tensor<4xf32> {nn.output = "y"}) {
  %y = call @layer(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
