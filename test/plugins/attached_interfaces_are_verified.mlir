// RUN: sbp-opt %s --load-dialect-plugin=%fixtures/trial/trial.so --sbp-verify-tensors --split-input-file --verify-diagnostics | FileCheck %s

// MLIR verifies an interface of ops that declare it. One that a plug-in attaches is verified
// when a tool reads a program, and before each pass.

// CHECK-LABEL: @attached
func.func @attached(%a: tensor<8xf32>) {
  %y = trial.attached %a loop 8 : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @attached_other_extent(%a: tensor<8xf32>) {
  // expected-error @+1 {{'trial.attached' op declares loop 0 for dimension 0 of operand 0, 'tensor<8xf32>', of extent 8, but the loop's extent is 3}}
  %y = trial.attached %a loop 3 : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

sbp.machine @m [#sbp.level<"cpu" x 2, alpha = 1.0e-6, beta = 1.0e-9>]
func.func @attached_no_signature(%a: tensor<8xf32, #sbp.nd<@m, [B]>>) {
  // expected-error @+2 {{'trial.attached' op has no signature (B) -> (S(0)) (mesh axis 0)}}
  // expected-note @+1 {{its signatures are}}
  %y = trial.attached %a loop 8 : (tensor<8xf32, #sbp.nd<@m, [B]>>) -> tensor<8xf32, #sbp.nd<@m, [S(0)]>>
  return
}

// -----

func.func @attached_pinned(%a: tensor<8xf32>) {
  // expected-error @+2 {{'trial.attached' op is pinned to the signature (B) -> (S(0)) (mesh axis 0), which it does not have}}
  // expected-note @+1 {{its signatures are}}
  %y = trial.attached %a loop 8 {sbp.signature = #sbp.signature<[(B) -> (S(0))]>} : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

sbp.machine @m [#sbp.level<"cpu" x 2, alpha = 1.0e-6, beta = 1.0e-9>]

// An interface that is declared is verified once: this error is the only one.
func.func @declared(%a: tensor<8xf32>) {
  // expected-error @+1 {{declares loop 0 for dimension 0 of operand 0}}
  trial.declared %a loops [3] : [array<i64: 0>] -> [array<i64: 0>]
      : (tensor<8xf32>) -> tensor<3xf32>
  return
}
