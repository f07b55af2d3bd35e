// RUN: cat %s | not sbp-opt --sbp-place=mesh=nope 2>&1 | FileCheck %s
// RUN: not sbp-opt %s --sbp-place=mesh=nope 2>&1 | FileCheck %s
// RUN: cat %s | not sbp-opt --sbp-differentiate="function=f optimizer=#nn.sgd" 2>&1 | FileCheck %s --check-prefix=PASS

// The line that an error is about is shown, though a pipe cannot be read again.

// CHECK: error: {{.*}}nope

sbp.machine @m [#sbp.level<"gpu" x 2, alpha = 2.0e-6, beta = 2.0e-10>]
// PASS: {{^}}<stdin>:[[# @LINE + 2]]:1: error: 'func.func' op
// PASS-NEXT: func.func @f(%x: tensor<4xf32>
func.func @f(%x: tensor<4xf32> {nn.input = "x"}) -> (tensor<4xf32> {nn.output = "y"}) {
  %y = nn.relu %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
