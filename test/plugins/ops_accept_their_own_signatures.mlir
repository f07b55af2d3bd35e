// RUN: sbp-opt %s --load-dialect-plugin=%fixtures/trial/trial.so --sbp-place=place-by=propagation --split-input-file --verify-diagnostics | FileCheck %s

// Before a plan may choose a signature of a plug-in's op, the op is tried with it: its traits
// and its verifier take the placed types and the local ones.

sbp.machine @line [#sbp.level<"gpu" x 2, alpha = 2.0e-5, beta = 8.0e-11>]

// CHECK-LABEL: @placements_may_differ
// CHECK: trial.gate
func.func @placements_may_differ(%a: tensor<9xf32>, %b: tensor<9xf32>) -> tensor<9xf32> {
  %y = trial.gate %a, %b : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xf32>
  return %y : tensor<9xf32>
}

// CHECK-LABEL: @pairs_stay_together
// CHECK: trial.swap
func.func @pairs_stay_together(%a: tensor<6xf32>) -> tensor<6xf32> {
  %y = trial.swap %a {in_pairs} : (tensor<6xf32>) -> tensor<6xf32>
  return %y : tensor<6xf32>
}

// -----

!copies = tensor<9xf32, #sbp.nd<@line, [B]>>
!terms = tensor<9xf32, #sbp.nd<@line, [P(sum)]>>
sbp.machine @line [#sbp.level<"gpu" x 2, alpha = 2.0e-5, beta = 8.0e-11>]

// CHECK-LABEL: @placements_differ
// CHECK: trial.gate {{.*}} : (tensor<9xf32, #B_line>, tensor<9xf32, #Psum_line>) -> tensor<9xf32, #Psum_line>
func.func @placements_differ(%a: !copies, %b: !terms) -> !terms {
  %y = trial.gate %a, %b : (!copies, !terms) -> !terms
  return %y : !terms
}

// -----

sbp.machine @line [#sbp.level<"gpu" x 2, alpha = 2.0e-5, beta = 8.0e-11>]

func.func @trait_compares_placements(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+2 {{has a verifier that refuses the signature (B, P(sum)) -> (P(sum)) of its own loops: requires the same encoding for all operands and results}}
  // expected-note @+1 {{placements are encodings of types; traits that ignore them are in dialects/sbp/SbpOpBase.td, such as Sbp_SameTypeUpToPlacement}}
  %y = trial.strict_gate %a, %b : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

sbp.machine @line [#sbp.level<"gpu" x 2, alpha = 2.0e-5, beta = 8.0e-11>]

func.func @inference_depends_on_placements(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+2 {{has a verifier that refuses the signature (B, B) -> (B) of its own loops: has the result types}}
  // expected-note @+1 {{traits that ignore them}}
  %y = trial.inferring_gate %a, %b : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

sbp.machine @line [#sbp.level<"gpu" x 2, alpha = 2.0e-5, beta = 8.0e-11>]

// 6 elements are two parts of 3, which are no pairs.
func.func @parts_are_refused(%a: tensor<6xf32>) -> tensor<6xf32> {
  // expected-error @+2 {{cannot run by the signature (S(0)) -> (S(0)) on rank 0 of 2: swaps the elements of pairs, of which 'tensor<3xf32>' does not consist}}
  // expected-note @+1 {{the local types are 'tensor<3xf32>' -> 'tensor<3xf32>'; buildLocal builds the op on them}}
  %y = trial.swap %a : (tensor<6xf32>) -> tensor<6xf32>
  return %y : tensor<6xf32>
}

// -----

sbp.machine @line [#sbp.level<"gpu" x 2, alpha = 2.0e-5, beta = 8.0e-11>]

func.func @communicating_form_is_whole(%a: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+2 {{cannot run by the signature (B) -> (S(0)) on rank 0 of 2: has a buildCommunicating that returns 'tensor<8xf32>' for result 0, whose part is 'tensor<4xf32>'}}
  // expected-note @+1 {{the local types are 'tensor<8xf32>' -> 'tensor<4xf32>'; buildCommunicating builds the op on them}}
  %y = trial.cutting %a : (tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

sbp.machine @line [#sbp.level<"gpu" x 2, alpha = 2.0e-5, beta = 8.0e-11>]

func.func @local_form_is_whole(%a: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+2 {{cannot run by the signature (S(0)) -> (S(0)) on rank 0 of 2: has a buildLocal that returns 'tensor<8xf32>' for result 0, whose part is 'tensor<4xf32>'}}
  // expected-note @+1 {{the local types are 'tensor<4xf32>' -> 'tensor<4xf32>'}}
  %y = trial.uncut %a : (tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

sbp.machine @line [#sbp.level<"gpu" x 2, alpha = 2.0e-5, beta = 8.0e-11>]

func.func @no_local_form(%a: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+2 {{cannot run by the signature (B) -> (B) on rank 0 of 2: has a buildLocal that returns no op; it must return the op of this part}}
  // expected-note @+1 {{buildLocal builds the op on them}}
  %y = trial.unbuilt %a : (tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

sbp.machine @line [#sbp.level<"gpu" x 2, alpha = 2.0e-5, beta = 8.0e-11>]

func.func @local_form_of_two_results(%a: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+2 {{has a buildLocal that returns 2 results, but has 1 result}}
  // expected-note @+1 {{buildLocal builds the op on them}}
  %y = trial.unbuilt %a {with_two_results} : (tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

sbp.machine @line [#sbp.level<"gpu" x 2, alpha = 2.0e-5, beta = 8.0e-11>]

func.func @local_form_elsewhere(%a: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+2 {{has a buildLocal that returns an op that it has not inserted by the builder that it is given}}
  // expected-note @+1 {{buildLocal builds the op on them}}
  %y = trial.unbuilt %a {elsewhere} : (tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

sbp.machine @line [#sbp.level<"gpu" x 2, alpha = 2.0e-5, beta = 8.0e-11>]

// CHECK-LABEL: @communicating_form_is_cut
// CHECK: trial.slicing
func.func @communicating_form_is_cut(%a: tensor<9xf32>) -> tensor<9xf32> {
  %y = trial.slicing %a : (tensor<9xf32>) -> tensor<9xf32>
  return %y : tensor<9xf32>
}

// -----

sbp.machine @line [#sbp.level<"gpu" x 2, alpha = 2.0e-5, beta = 8.0e-11>]

func.func @communicating_form_of_two_values(%a: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+2 {{cannot run by the signature (B) -> (S(0)) on rank 0 of 2: has a buildCommunicating that returns 2 values, but has 1 result}}
  // expected-note @+1 {{buildCommunicating builds the op on them}}
  %y = trial.slicing %a {returns_twice} : (tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

sbp.machine @line [#sbp.level<"gpu" x 2, alpha = 2.0e-5, beta = 8.0e-11>]

func.func @communicating_form_of_null(%a: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+2 {{has a buildCommunicating that returns nothing for result 0, whose part is 'tensor<4xf32>'}}
  // expected-note @+1 {{buildCommunicating builds the op on them}}
  %y = trial.slicing %a {returns_null} : (tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

sbp.machine @line [#sbp.level<"gpu" x 2, alpha = 2.0e-5, beta = 8.0e-11>]

func.func @communicating_form_over_no_axis(%a: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+2 {{cannot run by the signature (B) -> (S(0)) on rank 0 of 2: 'rank.slice' op}}
  // expected-note @+1 {{buildCommunicating builds the op on them}}
  %y = trial.slicing %a {over_no_axis} : (tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}
