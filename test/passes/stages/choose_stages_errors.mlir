// RUN: sbp-opt %s --split-input-file --verify-diagnostics --sbp-choose-stages=stages=2

sbp.machine @host [#sbp.level<"cpu" x 2, alpha = 1.0e-6, beta = 1.0e-9>]
sbp.mesh @a of @host ranks [0] [#sbp.axis<"one" x 1 in "cpu">]
// expected-error @+1 {{lists the 1 stages of the model, but 2 are to be chosen; remove it and the attributes 'sbp.stage', or do not ask for stages}}
sbp.stages [@a]

// -----

// expected-error @+1 {{no function is to be trained, or it is differentiated already: stages are chosen by the costs of the one with 'nn.optimizer'}}
module {
  sbp.machine @host [#sbp.level<"cpu" x 2, alpha = 1.0e-6, beta = 1.0e-9>]
  func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
    %y = nn.relu %x : tensor<4xf32>
    return %y : tensor<4xf32>
  }
}

// -----

sbp.machine @host [#sbp.level<"cpu" x 2, alpha = 1.0e-6, beta = 1.0e-9>]
// expected-error @+1 {{is pinned to #sbp.nd<@host, [B]>, but its stage and the ranks of this stage are still to be chosen; choose stages without pins, and write them into the result}}
nn.parameter @w : tensor<4xf32> = #nn.zeros {sbp.pin = #sbp.nd<@host, [B]>}
func.func @loss(%x: tensor<4xf32> {nn.input = "x"}) -> (tensor<f32> {nn.output = "loss"})
    attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<4xf32>
  %y = nn.mul %x, %w : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %loss = nn.mse %y, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}

// -----

sbp.machine @host [#sbp.level<"cpu" x 2, alpha = 1.0e-6, beta = 1.0e-9>]
// expected-error @+1 {{is pinned to #sbp.nd<@host, [S(0)]>, but its stage and the ranks of this stage are still to be chosen}}
nn.parameter @w : tensor<4xf32> = #nn.zeros {sbp.state_pin = #sbp.nd<@host, [S(0)]>}
func.func @loss(%x: tensor<4xf32> {nn.input = "x"}) -> (tensor<f32> {nn.output = "loss"})
    attributes {nn.optimizer = #nn.sgd<momentum = 0.9>} {
  %w = nn.get @w : tensor<4xf32>
  %y = nn.mul %x, %w : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %loss = nn.mse %y, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}

// -----

sbp.machine @host [#sbp.level<"cpu" x 2, alpha = 1.0e-6, beta = 1.0e-9>]
nn.parameter @w : tensor<4xf32> = #nn.zeros
func.func @loss(%x: tensor<4xf32> {nn.input = "x"}) -> (tensor<f32> {nn.output = "loss"})
    attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<4xf32>
  // expected-error @+1 {{is pinned to #sbp.signature<[(B, B) -> (B)]>, but its stage}}
  %y = nn.mul %x, %w {sbp.signature = #sbp.signature<[(B, B) -> (B)]>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %loss = nn.mse %y, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}

// -----

sbp.machine @host [#sbp.level<"cpu" x 2, alpha = 1.0e-6, beta = 1.0e-9>]
nn.parameter @w : tensor<4xf32> = #nn.zeros
// expected-error @+1 {{@loss has 1 ops and calls to divide into stages, too few for 2 stages}}
func.func @loss(%x: tensor<4xf32> {nn.input = "x"}) -> (tensor<f32> {nn.output = "loss"})
    attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<4xf32>
  %loss = nn.mse %x, %w : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}

// -----

// expected-error @+1 {{has 3 x 3 ranks in the axes of @hosts, which cannot be divided into 2 equal groups; there can be 1, 3 or 9, or per axis (1 or 3) x (1 or 3)}}
sbp.machine @hosts [#sbp.level<"host" x 3, alpha = 1.0e-6, beta = 1.0e-9>,
                    #sbp.level<"cpu" x 3, alpha = 1.0e-6, beta = 1.0e-9>]
nn.parameter @w : tensor<4xf32> = #nn.zeros
func.func @loss(%x: tensor<4xf32> {nn.input = "x"}) -> (tensor<f32> {nn.output = "loss"})
    attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<4xf32>
  %y = nn.mul %x, %w : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %loss = nn.mse %y, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}
