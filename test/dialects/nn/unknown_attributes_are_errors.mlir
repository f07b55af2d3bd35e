// RUN: sbp-opt %s --split-input-file --verify-diagnostics

// An attribute that its dialect does not know would be ignored silently.

// expected-error @+1 {{has 'sbp.pinn', which is no attribute of an op; the nearest is 'sbp.pin'}}
nn.parameter @w : tensor<4xf32> = #nn.ones {sbp.pinn = 1}

// -----

// expected-error @+1 {{has 'nn.optimiser', which is no attribute of an op; the nearest is 'nn.optimizer'}}
func.func @f() attributes {nn.optimiser = #nn.sgd} { return }

// -----

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{has 'sbp.satge', which is no attribute of an op; the nearest is 'sbp.stage'}}
  %y = nn.relu %x {sbp.satge = 3} : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{has 'rank.buckets', which is no attribute of an op; the nearest is 'rank.bucket'}}
  %y = nn.relu %x {rank.buckets = 3} : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// expected-error @+1 {{has 'nn.inputs', which is no attribute of an argument; the nearest is 'nn.input'}}
func.func @f(%x: tensor<4xf32> {nn.inputs = "x"}) { return }

// -----

// expected-error @+1 {{has 'sbp.stage', which is no attribute of an argument; the nearest is 'sbp.pin'}}
func.func @f(%x: tensor<4xf32> {sbp.stage = 0}) { return }

// -----

// expected-error @+1 {{has 'rank.hole', which is no attribute of an argument; the nearest is 'rank.whole'}}
func.func @f(%x: tensor<4xf32> {rank.hole = 0}) { return }

// -----

// expected-error @+1 {{has 'nn.input', which is no attribute of a result; the nearest is 'nn.output'}}
func.func @f(%x: tensor<4xf32>) -> (tensor<4xf32> {nn.input = "x"}) { return %x : tensor<4xf32> }

// -----

// expected-error @+1 {{has 'sbp.stage' on result 0; results have no attributes of 'sbp'}}
func.func @f(%x: tensor<4xf32>) -> (tensor<4xf32> {sbp.stage = 0}) { return %x : tensor<4xf32> }

// -----

// expected-error @+1 {{has 'rank.positions', which is no attribute of a result; the nearest is 'rank.position'}}
func.func @f(%x: tensor<4xf32>) -> (tensor<4xf32> {rank.positions = 0}) { return %x : tensor<4xf32> }

// -----

// Attributes of other dialects are not checked.
func.func @f() attributes {other.optimiser = 1} { return }
