// RUN: sbp-opt %s --split-input-file --verify-diagnostics

// Pins of signatures that no op can follow are errors at the op, or at the text of the pin.

func.func @not_of_the_op(%x: tensor<8x4xf32>, %w: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @+2 {{'nn.einsum' op is pinned to the signature (S(1), B) -> (S(0)) (mesh axis 1), which it does not have}}
  // expected-note @+1 {{its signatures are (B, B) -> (B); (S(0), B) -> (S(0)); (S(1), S(0)) -> (P(sum)); (B, S(1)) -> (S(1)); (P(sum), B) -> (P(sum)); (B, P(sum)) -> (P(sum))}}
  %y = nn.einsum "bi,ij->bj" %x, %w {sbp.signature = #sbp.signature<[(S(0), B) -> (S(0)), (S(1), B) -> (S(0))]>}
      : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %y : tensor<8x6xf32>
}

// -----

func.func @of_another_number_of_operands(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+2 {{is pinned to the signature (S(0), S(0)) -> (S(0)) (mesh axis 0), which it does not have}}
  // expected-note @+1 {{its signatures are (B) -> (B); (S(0)) -> (S(0))}}
  %y = nn.relu %x {sbp.signature = #sbp.signature<[(S(0), S(0)) -> (S(0))]>} : tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

func.func private @layer(%x: tensor<8xf32>) -> tensor<8xf32>
func.func @on_an_op_without_signatures(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{'func.call' op has 'sbp.signature', but declares no loops (DistributedOpInterface), so it has no signature}}
  %y = func.call @layer(%x) {sbp.signature = #sbp.signature<[(S(0)) -> (S(0))]>} : (tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

// expected-error @+1 {{'nn.parameter' op has 'sbp.signature', but declares no loops}}
nn.parameter @w : tensor<8xf32> = #nn.ones {sbp.signature = #sbp.signature<[() -> (S(0))]>}

// -----

// expected-error @+1 {{has 'sbp.signature', which is no attribute of an argument; the nearest is 'sbp.pin'}}
func.func @on_an_argument(%x: tensor<8xf32> {sbp.signature = #sbp.signature<[() -> (S(0))]>}) { return }

// -----

func.func @not_a_signature(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{has 'sbp.signature' = "(S(0)) -> (S(0))"; it is a signature per mesh axis, such as #sbp.signature<[(S(0), B) -> (S(0))]>}}
  %y = nn.relu %x {sbp.signature = "(S(0)) -> (S(0))"} : tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

func.func @unknown_component(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{expected a component: S(dim), B, P(sum), P(max) or P(min)}}
  %y = nn.relu %x {sbp.signature = #sbp.signature<[(T(0)) -> (S(0))]>} : tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

func.func @unlike_axes(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{the signature (S(0), B) -> (S(0)) has another number of operands or results than (S(0)) -> (S(0))}}
  %y = nn.relu %x {sbp.signature = #sbp.signature<[(S(0)) -> (S(0)), (S(0), B) -> (S(0))]>} : tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

func.func @no_axis(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{no signature; there is one per mesh axis}}
  %y = nn.relu %x {sbp.signature = #sbp.signature<[]>} : tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

func.func @two_reductions(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  // expected-error @+1 {{operand 0 mixes P(sum) and P(max)}}
  %y = nn.relu %x {sbp.signature = #sbp.signature<[(P(sum)) -> (P(sum)), (P(max)) -> (P(max))]>} : tensor<8x4xf32>
  return %y : tensor<8x4xf32>
}
