// RUN: sbp-opt %s --split-input-file --verify-diagnostics

nn.parameter @at_the_ends : tensor<4xf32> = #nn.uniform<0.5, 0.5>
func.func @loss(%x: tensor<4xf32> {nn.input = "x"}) -> (tensor<f32> {nn.output = "l"})
    attributes {nn.optimizer = #nn.adamw<beta1 = 0.0, beta2 = 0.0, weight_decay = 0.0>} {
  %l = nn.reduce mean %x over [0] : tensor<4xf32> -> tensor<f32>
  return %l : tensor<f32>
}

// -----

// expected-error @+1 {{the standard deviation is -1.000000e-01; it is a finite number of at least 0}}
nn.parameter @normal_attr_c1 : tensor<4xf32> = #nn.normal<-0.1>

// -----

// expected-error @+1 {{the bounds are 3.000000e-01 and -3.000000e-01; they are finite, the lower one first}}
nn.parameter @uniform_attr_c1 : tensor<4xf32> = #nn.uniform<0.3, -0.3>

// -----

// expected-error @+1 {{the standard deviation is INF; it is a finite number of at least 0}}
nn.parameter @normal_attr_c1 : tensor<4xf32> = #nn.normal<1.0e400>

// -----

// expected-error @+1 {{the value is nan; it is a finite number}}
nn.parameter @constant_attr_c1 : tensor<4xf32> = #nn.constant<0x7FF8000000000000>

// -----

// expected-error @+1 {{begins as #nn.constant<1.0e39>, but its elements are 'f32', none of which is 1.000000e+39}}
nn.parameter @parameter_c1_float : tensor<4xf32> = #nn.constant<1.0e39>

// -----

// expected-error @+1 {{begins as #nn.constant<0.5>, but its elements are 'i32', none of which is 5.000000e-01}}
nn.parameter @parameter_c1_integer : tensor<4xi32> = #nn.constant<0.5>

// -----

// expected-error @+1 {{momentum is -9.000000e-01; it is a finite number of at least 0}}
func.func @sgd_attr_c1() attributes {nn.trained_by = #nn.sgd<momentum = -0.9>} { return }

// -----

// expected-error @+1 {{weight_decay is -1.000000e-01; it is a finite number of at least 0}}
func.func @sgd_attr_c1() attributes {nn.trained_by = #nn.sgd<weight_decay = -0.1>} { return }

// -----

// expected-error @+1 {{beta1 is 1.500000e+00; it is at least 0 and below 1}}
func.func @adamw_attr_c1() attributes {nn.trained_by = #nn.adamw<beta1 = 1.5, weight_decay = -0.1>} { return }

// -----

// expected-error @+1 {{beta2 is 1.000000e+00; it is at least 0 and below 1}}
func.func @adam_attr_c1() attributes {nn.trained_by = #nn.adam<beta2 = 1.0>} { return }

// -----

// expected-error @+1 {{epsilon is 0.000000e+00; it is a finite number above 0}}
func.func @adam_attr_c2() attributes {nn.trained_by = #nn.adam<epsilon = 0.0>} { return }

// -----

// expected-error @+1 {{epsilon is 0.000000e+00; it is a finite number above 0}}
func.func @adamw_attr_c2() attributes {nn.trained_by = #nn.adamw<epsilon = 0.0>} { return }

// -----

// expected-error @+1 {{weight_decay is -1.000000e-01; it is a finite number of at least 0}}
func.func @adamw_attr_c3() attributes {nn.trained_by = #nn.adamw<weight_decay = -0.1>} { return }

// -----

// expected-error @+1 {{weight_decay is -1.000000e-01; it is a finite number of at least 0}}
func.func @adam_attr_c3() attributes {nn.trained_by = #nn.adam<weight_decay = -0.1>} { return }

// -----

func.func @f(%x: tensor<4xf32>, %g: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{attribute 'epsilon' failed to satisfy constraint: 64-bit float attribute whose value is finite and at least 0}}
  %y = nn.rms_norm %x, %g {epsilon = -0.5 : f64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// expected-error @+1 {{epsilon is 1.000000e-50; it is a finite number above 0 in f32}}
func.func @f() attributes {nn.trained_by = #nn.adam<epsilon = 1.0e-50>} { return }

// -----

// expected-error @+1 {{weight_decay is 1.000000e+39; it is a finite number of at least 0 in f32}}
func.func @f() attributes {nn.trained_by = #nn.sgd<weight_decay = 1.0e39>} { return }
