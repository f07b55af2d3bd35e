// RUN: sbp-opt %s --split-input-file --verify-diagnostics --sbp-keep-in-layers=keep=inputs --sbp-differentiate

// A mark that nothing heeds is an error, and so is a model without layers.

nn.parameter @w : tensor<4xf32> = #nn.zeros
func.func private @layer(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = nn.silu %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
// expected-error @+1 {{has 'sbp.keep', but nothing that is trained calls it, so there is no backward pass to keep values for}}
func.func private @of_another_entry(%x: tensor<4xf32>) -> tensor<4xf32>
    attributes {sbp.keep = #sbp.keep<inputs>} {
  return %x : tensor<4xf32>
}
// expected-note @+1 {{the function that is trained}}
func.func @loss(%x: tensor<4xf32> {nn.input = "x"}) -> tensor<f32>
    attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<4xf32>
  %y = call @layer(%w) : (tensor<4xf32>) -> tensor<4xf32>
  %loss = nn.mse %y, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}

// -----

nn.parameter @w : tensor<4xf32> = #nn.zeros
// expected-error @+1 {{calls no function, so there is no layer that could keep only its inputs; a layer is a private function}}
func.func @without_layers(%x: tensor<4xf32> {nn.input = "x"}) -> tensor<f32>
    attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<4xf32>
  %loss = nn.mse %w, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}

// -----

nn.parameter @w : tensor<4xf32> = #nn.zeros
// expected-note @+1 {{the function called}}
func.func private @again(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{recursion cannot be differentiated}}
  %y = call @again(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func @recursive(%x: tensor<4xf32> {nn.input = "x"}) -> tensor<f32>
    attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<4xf32>
  %y = call @again(%w) : (tensor<4xf32>) -> tensor<4xf32>
  %loss = nn.mse %y, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}
