// RUN: sbp-opt %s --split-input-file --verify-diagnostics

// Attributes of pins where they would have no effect.

sbp.machine @m [#sbp.level<"gpu" x 4, alpha = 1.0e-6, beta = 1.0e-9>]
// expected-error @+1 {{has 'sbp.pin' on result 0, which pins a parameter or an argument; a result is pinned by an op before the return, '%y = sbp.pin %x : ... to #sbp.nd<@m, [S(0)]>'}}
func.func @result(%x: tensor<8xf32>) -> (tensor<8xf32> {sbp.pin = #sbp.nd<@m, [S(0)]>}) {
  return %x : tensor<8xf32>
}

// -----

sbp.machine @m [#sbp.level<"gpu" x 4, alpha = 1.0e-6, beta = 1.0e-9>]
func.func @op(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{has the attribute 'sbp.pin', which pins a parameter, or an argument of a function; the result of an op is pinned by an op after it, '%y = sbp.pin %x : ... to #sbp.nd<@m, [B]>'}}
  %y = nn.relu %x {sbp.pin = #sbp.nd<@m, [B]>} : tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

sbp.machine @m [#sbp.level<"gpu" x 4, alpha = 1.0e-6, beta = 1.0e-9>]
nn.parameter @w : tensor<8xf32> = #nn.ones
func.func @get() -> tensor<8xf32> {
  // expected-error @+1 {{has the attribute 'sbp.state_pin', which pins a parameter}}
  %w = nn.get @w {sbp.state_pin = #sbp.nd<@m, [B]>} : tensor<8xf32>
  return %w : tensor<8xf32>
}

// -----

sbp.machine @m [#sbp.level<"gpu" x 4, alpha = 1.0e-6, beta = 1.0e-9>]
// expected-error @+1 {{has the attribute 'sbp.pin', which pins a parameter, or an argument of a function}}
func.func @function(%x: tensor<8xf32>) attributes {sbp.pin = #sbp.nd<@m, [B]>} {
  return
}

// -----

sbp.machine @m [#sbp.level<"gpu" x 4, alpha = 1.0e-6, beta = 1.0e-9>]
// expected-error @+1 {{has 'sbp.state_pin' on argument 0, which has no optimiser state; a parameter has, and an argument is pinned by 'sbp.pin'}}
func.func @argument(%x: tensor<8xf32> {sbp.state_pin = #sbp.nd<@m, [B]>}) {
  return
}
