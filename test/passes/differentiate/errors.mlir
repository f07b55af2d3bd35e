// RUN: sbp-opt %s --split-input-file --sbp-differentiate --verify-diagnostics

// The error is at the op on the way to the loss, not at the other one.
nn.parameter @w : tensor<4xf32> = #nn.zeros
func.func @op_without_adjoint(%x: tensor<4xf32>) -> tensor<f32>
    attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<4xf32>
  %fine = nn.silu_grad %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // expected-error @+1 {{'nn.silu_grad' op has no adjoint, and the loss depends on a parameter through it}}
  %y = nn.silu_grad %w, %fine : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %loss = nn.mse %y, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}

// -----

nn.parameter @w : tensor<4xf32> = #nn.zeros
func.func private @inner(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'func.call' op calls @outer, which is still running; recursion cannot be differentiated}}
  %y = call @outer(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// expected-note @+1 {{the function called}}
func.func private @outer(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = call @inner(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func @recursion(%x: tensor<4xf32>) -> tensor<f32>
    attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<4xf32>
  %y = call @outer(%w) : (tensor<4xf32>) -> tensor<4xf32>
  %loss = nn.mse %y, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}

// -----

nn.parameter @w : tensor<4xf32> = #nn.zeros {frozen}
// expected-error @+1 {{'func.func' op is to be minimised, but depends on no trainable parameter}}
func.func @nothing_to_train(%x: tensor<4xf32>) -> tensor<f32>
    attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<4xf32>
  %loss = nn.mse %w, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}

// -----

// expected-note @+1 {{the other function}}
func.func @one(%x: tensor<f32>) -> tensor<f32> attributes {nn.optimizer = #nn.sgd} {
  return %x : tensor<f32>
}
// expected-error @+1 {{'func.func' op and @one both have 'nn.optimizer'; one function is trained}}
func.func @two(%x: tensor<f32>) -> tensor<f32> attributes {nn.optimizer = #nn.sgd} {
  return %x : tensor<f32>
}

// -----

nn.parameter @w : tensor<f32> = #nn.zeros
// expected-error @+1 {{'func.func' op is to be trained by @train_step, but that name is taken}}
func.func @name_of_the_step_is_taken() -> tensor<f32> attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<f32>
  return %w : tensor<f32>
}
// expected-note @+1 {{by this 'func.func' op}}
func.func private @train_step() { return }

// -----

// expected-error @+1 {{'nn.parameter' op is trained with the state @"w.velocity", but that name is taken}}
nn.parameter @w : tensor<f32> = #nn.zeros
// expected-note @+1 {{by this 'nn.parameter' op}}
nn.parameter @w.velocity : tensor<f32> = #nn.zeros
func.func @name_of_state_is_taken() -> tensor<f32>
    attributes {nn.optimizer = #nn.sgd<momentum = 0.9>} {
  %w = nn.get @w : tensor<f32>
  return %w : tensor<f32>
}

// -----

nn.parameter @w : tensor<f32> = #nn.zeros
// expected-error @+1 {{'func.func' op calls argument 0 "lr", which is the learning rate of the training step}}
func.func @name_of_the_learning_rate_is_taken(%lr: tensor<f32> {nn.input = "lr"})
    -> tensor<f32> attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<f32>
  return %w : tensor<f32>
}

// -----

nn.parameter @w : tensor<f32> = #nn.zeros
func.func @sets_a_parameter() -> tensor<f32> attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<f32>
  // expected-error @+1 {{'nn.set' op stands in a function that is differentiated; parameters are set by the optimiser's step}}
  nn.set @w, %w : tensor<f32>
  return %w : tensor<f32>
}
