// RUN: sbp-opt %s --split-input-file --verify-diagnostics --sbp-cut-stages

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{is of stage 1, but the module has no sbp.stages}}
  %y = nn.relu %x {sbp.stage = 1} : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

sbp.machine @host [#sbp.level<"cpu" x 2, alpha = 1.0e-6, beta = 1.0e-9>]
sbp.mesh @a of @host ranks [0] [#sbp.axis<"one" x 1 in "cpu">]
sbp.mesh @b of @host ranks [1] [#sbp.axis<"one" x 1 in "cpu">]
// expected-note @+1 {{they are listed here}}
sbp.stages [@a, @b]
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{is of stage 2, but the module's stages are 0 to 1}}
  %y = nn.relu %x {sbp.stage = 2} : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

sbp.machine @host [#sbp.level<"cpu" x 2, alpha = 1.0e-6, beta = 1.0e-9>]
sbp.mesh @a of @host ranks [0] [#sbp.axis<"one" x 1 in "cpu">]
sbp.mesh @b of @host ranks [1] [#sbp.axis<"one" x 1 in "cpu">]
sbp.stages [@a, @b]
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-note @+1 {{it is made here}}
  %y = nn.relu %x {sbp.stage = 1} : tensor<4xf32>
  // expected-error @+1 {{is of stage 0, but takes a tensor, which stage 1 makes; a stage takes what it or an earlier one has made}}
  %z = nn.relu %y {sbp.stage = 0} : tensor<4xf32>
  return %z : tensor<4xf32>
}

// -----

sbp.machine @host [#sbp.level<"cpu" x 2, alpha = 1.0e-6, beta = 1.0e-9>]
sbp.mesh @a of @host ranks [0] [#sbp.axis<"one" x 1 in "cpu">]
sbp.mesh @b of @host ranks [1] [#sbp.axis<"one" x 1 in "cpu">]
// expected-error @+1 {{has 2 stages, but no op is of stage 1, which @b would run}}
sbp.stages [@a, @b]
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = nn.relu %x {sbp.stage = 0} : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

sbp.machine @host [#sbp.level<"cpu" x 2, alpha = 1.0e-6, beta = 1.0e-9>]
sbp.mesh @a of @host ranks [0] [#sbp.axis<"one" x 1 in "cpu">]
sbp.mesh @b of @host ranks [1] [#sbp.axis<"one" x 1 in "cpu">]
sbp.stages [@a, @b]
// expected-error @+1 {{has no op with the attribute 'sbp.stage', but the module has 2 stages}}
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = nn.relu %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

sbp.machine @host [#sbp.level<"cpu" x 2, alpha = 1.0e-6, beta = 1.0e-9>]
sbp.mesh @a of @host ranks [0] [#sbp.axis<"one" x 1 in "cpu">]
sbp.mesh @b of @host ranks [1] [#sbp.axis<"one" x 1 in "cpu">]
sbp.stages [@a, @b]
// expected-error @+1 {{is an entry, and is of stage 1; the stages belong on the ops of an entry}}
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {sbp.stage = 1} {
  %y = nn.relu %x {sbp.stage = 0} : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

sbp.machine @host [#sbp.level<"cpu" x 2, alpha = 1.0e-6, beta = 1.0e-9>]
sbp.mesh @a of @host ranks [0] [#sbp.axis<"one" x 1 in "cpu">]
sbp.mesh @b of @host ranks [1] [#sbp.axis<"one" x 1 in "cpu">]
sbp.stages [@a, @b]
func.func private @layer(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{is of stage 1, but stands in @layer; the stage belongs on a call of it in an entry}}
  %y = nn.relu %x {sbp.stage = 1} : tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = call @layer(%x) {sbp.stage = 0} : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

sbp.machine @host [#sbp.level<"cpu" x 2, alpha = 1.0e-6, beta = 1.0e-9>]
sbp.mesh @a of @host ranks [0] [#sbp.axis<"one" x 1 in "cpu">]
sbp.mesh @b of @host ranks [1] [#sbp.axis<"one" x 1 in "cpu">]
sbp.stages [@a, @b]
nn.parameter @w : tensor<4xf32> = #nn.zeros
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{is of stage 1, but has no operand from a stage; such an op belongs to every stage that uses its result}}
  %w = nn.get @w {sbp.stage = 1} : tensor<4xf32>
  %y = nn.add %x, %w {sbp.stage = 0} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

sbp.machine @host [#sbp.level<"cpu" x 2, alpha = 1.0e-6, beta = 1.0e-9>]
sbp.mesh @a of @host ranks [0] [#sbp.axis<"one" x 1 in "cpu">]
sbp.mesh @b of @host ranks [1] [#sbp.axis<"one" x 1 in "cpu">]
sbp.stages [@a, @b]
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = nn.relu %x {sbp.stage = 0} : tensor<4xf32>
  // expected-error @+1 {{is of stage 1, but the end of an entry has no stage}}
  return {sbp.stage = 1} %y : tensor<4xf32>
}
