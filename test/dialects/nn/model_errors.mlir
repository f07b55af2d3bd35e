// RUN: sbp-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{has element type 'i32', which #nn.normal<0.02> does not fit}}
nn.parameter @parameter_c1 : tensor<4xi32> = #nn.normal<0.02>

// -----

// expected-error @+1 {{is kept as #sbp.nd<@m, [P(sum)]>; a parameter must not be partial}}
nn.parameter @parameter_c2 : tensor<4xf32, #sbp.nd<@m, [P(sum)]>> = #nn.zeros

// -----

// expected-error @+1 {{an initializer: #nn.normal, #nn.uniform, #nn.constant, #nn.zeros or #nn.ones}}
nn.parameter @parameter_c3 : tensor<4xf32> = 3.0 : f32

// -----

func.func @get_c1_name() {
  // expected-error @+1 {{names @w, which is no nn.parameter of this module}}
  %w = nn.get @w : tensor<4xf32>
  return
}

// -----

// expected-note @+1 {{the parameter has type 'tensor<5xf32>'}}
nn.parameter @w : tensor<5xf32> = #nn.zeros
func.func @get_c1_type() {
  // expected-error @+1 {{uses parameter @w as 'tensor<4xf32>'}}
  %w = nn.get @w : tensor<4xf32>
  return
}

// -----

// expected-note @+1 {{the parameter has type 'tensor<5xf32>'}}
nn.parameter @w : tensor<5xf32> = #nn.zeros
func.func @set_c1(%x: tensor<5xi32>) {
  // expected-error @+1 {{uses parameter @w as 'tensor<5xi32>'}}
  nn.set @w, %x : tensor<5xi32>
  return
}

// -----

// expected-error @+1 {{is to be minimised, but its result is not one floating-point scalar tensor}}
func.func private @a_loss_is_a_scalar(tensor<f32>) -> tensor<2xf32>
  attributes {nn.optimizer = #nn.sgd}

// -----

// expected-error @+1 {{has the optimizer "sgd"; known are #nn.sgd, #nn.adam, #nn.adamw}}
func.func private @an_optimizer_is_an_attribute(tensor<f32>) -> tensor<f32>
  attributes {nn.optimizer = "sgd"}

// -----

// expected-error @+1 {{'momentun' is none of 'momentum' 'weight_decay'}}
func.func private @an_option_is_known(tensor<f32>) -> tensor<f32> attributes {nn.optimizer = #nn.sgd<momentun = 0.9>}

// -----

// expected-error @+1 {{has 'nn.optimizer', which belongs to a function}}
nn.parameter @an_optimizer_belongs_to_a_function : tensor<4xf32> = #nn.zeros {nn.optimizer = #nn.sgd}

// -----

// expected-error @+1 {{has 'nn.input' = 3 : i64 on argument 0, which is no name}}
func.func @input_is_a_name(%x: tensor<4xf32> {nn.input = 3}) {
  return
}

// -----

// expected-error @+1 {{has 'nn.below' = 0 : i64 on argument 1, which is no positive i64}}
func.func @below_is_positive(%x: tensor<4xi32>, %y: tensor<4xi32> {nn.below = 0}) {
  return
}

// -----

// expected-error @+1 {{has 'nn.below' on argument 0 of type 'tensor<4xf32>', which holds no i32 or i64}}
func.func @below_is_of_integers(%x: tensor<4xf32> {nn.below = 3}) {
  return
}

// -----

// expected-error @+1 {{calls argument 0 "input1", which is the name of argument 1, as that has no 'nn.input'}}
func.func @a_given_input_name_is_no_default(%x: tensor<4xf32> {nn.input = "input1"}, %y: tensor<4xf32>) {
  return
}

// -----

// expected-error @+1 {{calls result 1 "output0", which is the name of result 0, as that has no 'nn.output'}}
func.func @a_given_output_name_is_no_default(%x: tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32> {nn.output = "output0"}) {
  return %x, %x : tensor<4xf32>, tensor<4xf32>
}

// -----

// expected-error @+1 {{calls arguments 0 and 2 both "x"}}
func.func @inputs_have_names_of_their_own(%x: tensor<4xf32> {nn.input = "x"}, %y: tensor<4xf32>,
                                          %z: tensor<4xi32> {nn.input = "x"}) {
  return
}

// -----

func.func private @part(%x: tensor<4xf32>, %sum: tensor<4xf32>) -> tensor<4xf32>
func.func @repeat_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{calls @part 0 times; it must be at least once}}
  %y = nn.repeat 0 @part(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func private @part(%x: tensor<4xf32>, %sum: tensor<4xf32>) -> tensor<4xf32>
func.func @repeat_c2_none(%x: tensor<4xf32>) {
  // expected-error @+1 {{makes no call of @part; it must make at least one}}
  %y = nn.repeat 2 only [] @part(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func private @part(%x: tensor<4xf32>, %sum: tensor<4xf32>) -> tensor<4xf32>
func.func @repeat_c2_twice(%x: tensor<4xf32>) {
  // expected-error @+1 {{makes call 1 of 4 after 1; their numbers ascend from 0 to 3}}
  %y = nn.repeat 4 only [0, 1, 1] @part(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func private @part(%x: tensor<4xf32>, %sum: tensor<4xf32>) -> tensor<4xf32>
func.func @repeat_c2_too_many(%x: tensor<4xf32>) {
  // expected-error @+1 {{makes call 4 of 4 after 3; their numbers ascend from 0 to 3}}
  %y = nn.repeat 4 only [3, 4] @part(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @repeat_c3_none(%x: tensor<4xf32>) {
  // expected-error @+1 {{calls @part, which is no function here}}
  %y = nn.repeat 2 @part(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// expected-note @+1 {{the function has type}}
func.func private @part(%x: tensor<4xf32>) -> tensor<4xf32>
func.func @repeat_c3_type(%x: tensor<4xf32>) {
  // expected-error @+1 {{calls @part as '(tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>'}}
  %y = nn.repeat 2 @part(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// expected-error @+1 {{calls results 0 and 2 both "o"}}
func.func @outputs_have_names_of_their_own(%x: tensor<4xf32>)
    -> (tensor<4xf32> {nn.output = "o"}, tensor<4xf32>, tensor<4xf32> {nn.output = "o"}) {
  return %x, %x, %x : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// expected-error @+1 {{has 'nn.output' = "" on result 0, which is no name}}
func.func @outputs_have_names(%x: tensor<4xf32>) -> (tensor<4xf32> {nn.output = ""}) {
  return %x : tensor<4xf32>
}

// -----

nn.parameter @w : tensor<5xf32> = #nn.zeros
func.func @get_c2() {
  // expected-error @+1 {{attribute 'before' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %w = nn.get @w {before = -1} : tensor<5xf32>
  return
}

// -----

// Terms are added up in the type before a cast or in that after it.

func.func @reduced_in_another_type(%x: tensor<4xbf16>) -> tensor<4xf32> {
  // expected-error @+1 {{'nn.cast' op has 'nn.reduced_in' = f64, and casts from 'bf16' to 'f32'; terms are added up in one of the two, a float}}
  %y = nn.cast %x {nn.reduced_in = f64} : tensor<4xbf16> -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @repetition_c1() {
  // expected-error @+1 {{result #0 must be 0D tensor of 64-bit signless integer values, but got 'tensor<i32>'}}
  %k = nn.repetition : tensor<i32>
  return
}

// -----

func.func @reduced_in_of_no_cast(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'nn.relu' op has 'nn.reduced_in', which belongs to an nn.cast}}
  %y = nn.relu %x {nn.reduced_in = f32} : tensor<4xf32>
  return %y : tensor<4xf32>
}
