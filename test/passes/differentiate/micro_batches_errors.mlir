// RUN: sbp-opt %s --split-input-file --verify-diagnostics --sbp-differentiate="micro-batches=4"

// An op that mixes samples cannot run in micro-batches; the error is at the op.

nn.parameter @w : tensor<4xf32> = #nn.normal<0.02>
// expected-error @below {{4 micro-batches do not divide the 6 samples of the input "x"}}
func.func @count_divides(%x: tensor<6x4xf32> {nn.input = "x"}) -> (tensor<f32> {nn.output = "loss"})
    attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<4xf32>
  %y = nn.mul %x, %w : (tensor<6x4xf32>, tensor<4xf32>) -> tensor<6x4xf32>
  %l = nn.reduce mean %y over [0, 1] : tensor<6x4xf32> -> tensor<f32>
  return %l : tensor<f32>
}

// -----

nn.parameter @w : tensor<f32> = #nn.ones
func.func @softmax_over_samples(%x: tensor<8xf32> {nn.input = "x"})
    -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<f32>
  %h = nn.mul %x, %w : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  // expected-error @below {{'nn.softmax' op cannot be computed in 4 micro-batches: it needs all 8 samples at once, along dimension 0 of operand 0}}
  %p = nn.softmax %h dim 0 : tensor<8xf32>
  %l = nn.reduce mean %p over [0] : tensor<8xf32> -> tensor<f32>
  return %l : tensor<f32>
}

// -----

nn.parameter @w : tensor<4xf32> = #nn.ones
func.func @maximum_over_samples(%x: tensor<8x4xf32> {nn.input = "x"})
    -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<4xf32>
  %h = nn.mul %x, %w : (tensor<8x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
  // expected-error @below {{it takes the max over samples, along dimension 0 of operand 0}}
  %m = nn.reduce max %h over [0] : tensor<8x4xf32> -> tensor<4xf32>
  %l = nn.reduce sum %m over [0] : tensor<4xf32> -> tensor<f32>
  return %l : tensor<f32>
}

// -----

nn.parameter @w : tensor<4xf32> = #nn.ones
func.func @centred_over_samples(%x: tensor<8x4xf32> {nn.input = "x"})
    -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<4xf32>
  %h = nn.mul %x, %w : (tensor<8x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
  %mean = nn.reduce mean %h over [0] : tensor<8x4xf32> -> tensor<4xf32>
  // expected-error @below {{it combines single samples with operand 1, which depends on all 8 samples}}
  %c = nn.sub %h, %mean : (tensor<8x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
  %l = nn.mse %c, %h : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<f32>
  return %l : tensor<f32>
}

// -----

nn.parameter @w : tensor<4xf32> = #nn.ones
func.func @divided_by_a_norm_over_samples(%x: tensor<8x4xf32> {nn.input = "x"})
    -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<4xf32>
  %h = nn.mul %x, %w : (tensor<8x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
  %squares = nn.einsum "bi,bi->i" %h, %h : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<4xf32>
  %norm = nn.sqrt %squares : tensor<4xf32>
  // expected-error @below {{it combines single samples with what depends on all 8 samples}}
  %n = nn.div %h, %norm : (tensor<8x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
  %l = nn.reduce mean %n over [0, 1] : tensor<8x4xf32> -> tensor<f32>
  return %l : tensor<f32>
}

// -----

nn.parameter @w : tensor<4xf32> = #nn.ones
func.func @all_pairs_of_samples(%x: tensor<8x4xf32> {nn.input = "x"})
    -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<4xf32>
  %h = nn.mul %x, %w : (tensor<8x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
  // expected-error @below {{it combines each sample of operand 0 with all samples of operand 1}}
  %pairs = nn.einsum "bi,ci->bc" %h, %h : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32>
  %l = nn.reduce mean %pairs over [0, 1] : tensor<8x8xf32> -> tensor<f32>
  return %l : tensor<f32>
}

// -----

nn.parameter @w : tensor<4xf32> = #nn.ones
func.func @in_a_layer(%x: tensor<8x4xf32> {nn.input = "x"})
    -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<4xf32>
  %h = call @layer(%x, %w) : (tensor<8x4xf32>, tensor<4xf32>) -> tensor<4x8xf32>
  %l = nn.reduce mean %h over [0, 1] : tensor<4x8xf32> -> tensor<f32>
  return %l : tensor<f32>
}
func.func private @layer(%x: tensor<8x4xf32>, %w: tensor<4xf32>) -> tensor<4x8xf32> {
  %h = nn.mul %x, %w : (tensor<8x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
  %t = nn.transpose %h [1, 0] : tensor<8x4xf32> -> tensor<4x8xf32>
  // expected-error @below {{it needs all 8 samples at once, along dimension 1 of operand 0}}
  %s = nn.softmax %t dim 1 : tensor<4x8xf32>
  return %s : tensor<4x8xf32>
}

// -----

nn.parameter @w : tensor<4xf32> = #nn.ones
func.func @neighbours_of_two_micro_batches(%x: tensor<8x4xf32> {nn.input = "x"})
    -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<4xf32>
  %h = nn.mul %x, %w : (tensor<8x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
  // expected-error @below {{dimension 0 of its result has 2 elements for 8 samples}}
  %fours = nn.reshape %h : tensor<8x4xf32> -> tensor<2x16xf32>
  %p = nn.softmax %fours dim 1 : tensor<2x16xf32>
  %l = nn.reduce mean %p over [0, 1] : tensor<2x16xf32> -> tensor<f32>
  return %l : tensor<f32>
}

// -----

nn.parameter @w : tensor<4xf32> = #nn.ones
func.func @covariance(%x: tensor<8x4xf32> {nn.input = "x"})
    -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<4xf32>
  %h = nn.mul %x, %w : (tensor<8x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
  %products = nn.einsum "bi,bj->ij" %h, %h : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  // expected-error @below {{it takes sums over samples that depend on parameters}}
  %squares = nn.mul %products, %products : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %l = nn.reduce sum %squares over [0, 1] : tensor<4x4xf32> -> tensor<f32>
  return %l : tensor<f32>
}

// -----

nn.parameter @w : tensor<4xf32> = #nn.ones
func.func @quotient_of_two_trained_sums(%x: tensor<8x4xf32> {nn.input = "x"})
    -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<4xf32>
  %h = nn.mul %x, %w : (tensor<8x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
  %g = nn.exp %h : tensor<8x4xf32>
  %a = nn.reduce sum %h over [0, 1] : tensor<8x4xf32> -> tensor<f32>
  %b = nn.reduce sum %g over [0, 1] : tensor<8x4xf32> -> tensor<f32>
  // expected-error @below {{it takes one of 2 sums over samples that depend on parameters}}
  %l = nn.div %a, %b : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %l : tensor<f32>
}

// -----

nn.parameter @w : tensor<4xf32> = #nn.ones
func.func @root_of_one_of_two_trained_sums(%x: tensor<8x4xf32> {nn.input = "x"}, %n: tensor<8x1xf32> {nn.input = "n"})
    -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<4xf32>
  %h = nn.mul %x, %w : (tensor<8x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
  %a = nn.reduce sum %h over [0, 1] : tensor<8x4xf32> -> tensor<f32>
  %count = nn.reduce sum %n over [0, 1] : tensor<8x1xf32> -> tensor<f32>
  %mean = nn.div %a, %count : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %b = nn.mse %h, %x : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<f32>
  // expected-error @below {{it takes one of 2 sums over samples that depend on parameters}}
  %root = nn.sqrt %b : tensor<f32>
  %l = nn.add %mean, %root : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %l : tensor<f32>
}

// -----

// Steps that overlap cannot wait for a count of all samples.
sbp.machine @m [#sbp.level<"rank" x 2, alpha = 1.0e-6, beta = 1.0e-10>]
sbp.mesh @a of @m ranks [0] [#sbp.axis<"x" x 1 in "rank">]
sbp.mesh @b of @m ranks [1] [#sbp.axis<"x" x 1 in "rank">]
sbp.stages [@a, @b]
sbp.schedule [
  @a "0F0,0B3<1,0U<1+1,0F1,0B0,0F2,0B1,0F3,0B2",
  @b "1F0,1B0,1F1,1B1,1F2,1B2,1F3,1B3,1U+1"]
nn.parameter @w : tensor<4xf32> = #nn.ones
func.func @counts_without_a_flush(%x: tensor<8x4xf32> {nn.input = "x"}, %n: tensor<8x1xf32> {nn.input = "n"})
    -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<4xf32>
  %h = nn.mul %x, %w : (tensor<8x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
  %a = nn.reduce sum %h over [0, 1] : tensor<8x4xf32> -> tensor<f32>
  %count = nn.reduce sum %n over [0, 1] : tensor<8x1xf32> -> tensor<f32>
  // expected-error @below {{it takes a sum over all samples that must be complete before the gradients of other sums begin; a schedule without a flush cannot wait for it, one with a flush can}}
  %mean = nn.div %a, %count : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %b = nn.mse %h, %x : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<f32>
  %l = nn.add %mean, %b : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %l : tensor<f32>
}
