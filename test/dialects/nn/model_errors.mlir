// RUN: sbp-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{'nn.parameter' op has element type 'i32', which #nn.normal<2.000000e-02> does not fit}}
nn.parameter @w : tensor<4xi32> = #nn.normal<0.02>

// -----

func.func @get_names_a_parameter() {
  // expected-error@+1 {{'nn.get' op names @w, which is no nn.parameter of this module}}
  %w = nn.get @w : tensor<4xf32>
  return
}

// -----

// expected-note@+1 {{the parameter has type 'tensor<4xf32>'}}
nn.parameter @w : tensor<4xf32> = #nn.zeros
func.func @get_has_the_type_of_the_parameter() {
  // expected-error@+1 {{'nn.get' op uses parameter @w as 'tensor<5xf32>'}}
  %w = nn.get @w : tensor<5xf32>
  return
}

// -----

// expected-note@+1 {{the parameter has type 'tensor<4xf32>'}}
nn.parameter @w : tensor<4xf32> = #nn.zeros
func.func @set_has_the_type_of_the_parameter(%x: tensor<4xi32>) {
  // expected-error@+1 {{'nn.set' op uses parameter @w as 'tensor<4xi32>'}}
  nn.set @w, %x : tensor<4xi32>
  return
}

// -----

// expected-error@+1 {{'func.func' op is to be minimised, but its result is not one floating-point scalar tensor}}
func.func @loss(%x: tensor<4xf32>) -> tensor<4xf32> attributes {nn.optimizer = #nn.sgd} {
  return %x : tensor<4xf32>
}

// -----

// expected-error@+1 {{'func.func' op has the optimizer 3 : i32; known are #nn.sgd, #nn.adam, #nn.adamw}}
func.func @loss(%x: tensor<f32>) -> tensor<f32> attributes {nn.optimizer = 3 : i32} {
  return %x : tensor<f32>
}

// -----

// expected-error@+1 {{'velocity' is none of 'momentum' 'weight_decay'}}
func.func @f() attributes {nn.optimizer = #nn.sgd<velocity = 0.9>} {
  return
}
