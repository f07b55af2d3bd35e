// RUN: sbp-opt %s --sbp-differentiate="function=distance optimizer=#nn.sgd<momentum=0.9>" | FileCheck %s
// RUN: not sbp-opt %s --sbp-differentiate="function=distance" 2>&1 | FileCheck %s --check-prefix=NO-OPTIMIZER
// RUN: not sbp-opt %s --sbp-differentiate="optimizer=#nn.sgd" 2>&1 | FileCheck %s --check-prefix=NO-FUNCTION
// RUN: not sbp-opt %s --sbp-differentiate="function=nowhere" 2>&1 | FileCheck %s --check-prefix=NOWHERE
// RUN: not sbp-opt %s --sbp-differentiate="function=distance optimizer=#nn.zeros" 2>&1 | FileCheck %s --check-prefix=ANOTHER
// RUN: not sbp-opt %s --sbp-differentiate="function=distance optimizer=sgd" 2>&1 | FileCheck %s --check-prefix=NO-ATTRIBUTE
// RUN: not sbp-opt %s --sbp-differentiate="function=vector optimizer=#nn.sgd" 2>&1 | FileCheck %s --check-prefix=VECTOR

// The options replace the attribute.

// CHECK: nn.parameter @w.velocity
// CHECK: func.func @train_step
// CHECK: nn.momentum

// NO-OPTIMIZER: error: 'func.func' op is to be differentiated, but has no 'nn.optimizer', nor is the option 'optimizer' given
// NO-FUNCTION: error: the module has no function with 'nn.optimizer' for the optimizer #nn.sgd; name one by the option 'function'
// NOWHERE: error: the module has no function @nowhere, which is to be differentiated
// ANOTHER: error: 'func.func' op has the optimizer #nn.zeros; known are #nn.sgd, #nn.adam, #nn.adamw
// NO-ATTRIBUTE: error: 'func.func' op cannot be trained by the option optimizer="sgd": {{.+}}
// VECTOR: error: 'func.func' op is to be minimised, but its result is not one floating-point scalar tensor
nn.parameter @w : tensor<4xf32> = #nn.zeros
func.func @distance(%x: tensor<4xf32> {nn.input = "x"}) -> tensor<f32> {
  %w = nn.get @w : tensor<4xf32>
  %loss = nn.mse %w, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}
func.func @vector(%x: tensor<4xf32> {nn.input = "x"}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
