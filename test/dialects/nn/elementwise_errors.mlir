// RUN: sbp-opt %s --split-input-file --verify-diagnostics

func.func @cast_keeps_the_shape(%x: tensor<4xf32>) {
  // expected-error @+1 {{changes the shape of 'tensor<4xf32>' to that of 'tensor<5xi32>'}}
  %y = nn.cast %x : tensor<4xf32> -> tensor<5xi32>
  return
}

// -----

func.func @extents_broadcast(%x: tensor<4x3xf32>, %y: tensor<4xf32>) {
  // expected-error @+1 {{extents 3 and 4 do not broadcast, in 'tensor<4x3xf32>' and 'tensor<4xf32>'}}
  %z = nn.add %x, %y : (tensor<4x3xf32>, tensor<4xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @element_types_are_equal(%x: tensor<4xf32>, %y: tensor<4xi32>) {
  // expected-error @+1 {{element types 'f32' and 'i32' differ}}
  %z = nn.mul %x, %y : (tensor<4xf32>, tensor<4xi32>) -> tensor<4xf32>
  return
}

// -----

func.func @compare_gives_bools(%x: tensor<4xf32>) {
  // expected-error @+1 {{result #0 must be statically shaped tensor of 1-bit signless integer values, but got 'tensor<4xf32>'}}
  %z = nn.compare lt %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @select_has_one_element_type(%c: tensor<4xi1>, %x: tensor<4xf32>, %y: tensor<4xi32>) {
  // expected-error @+1 {{element types 'f32' and 'i32' differ}}
  %z = nn.select %c, %x, %y : (tensor<4xi1>, tensor<4xf32>, tensor<4xi32>) -> tensor<4xf32>
  return
}

// -----

func.func @exp_is_of_floats(%x: tensor<4xi32>) {
  // expected-error @+1 {{operand #0 must be statically shaped tensor of floating-point values, but got 'tensor<4xi32>'}}
  %z = nn.exp %x : tensor<4xi32>
  return
}

// -----

func.func @shapes_are_static(%x: tensor<?xf32>) {
  // expected-error @+1 {{operand #0 must be statically shaped tensor of floating-point values, but got 'tensor<?xf32>'}}
  %z = nn.exp %x : tensor<?xf32>
  return
}
