// RUN: sbp-opt %s --split-input-file --verify-diagnostics

func.func @cast_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{converts 'tensor<4xf32>' to 'tensor<5xi32>'; the shapes must be equal}}
  %y = nn.cast %x : tensor<4xf32> -> tensor<5xi32>
  return
}

// -----

func.func @add_c2(%x: tensor<4x3xf32>, %y: tensor<4xf32>) {
  // expected-error @+1 {{extents 3 and 4 do not broadcast, in 'tensor<4x3xf32>' and 'tensor<4xf32>'}}
  %z = nn.add %x, %y : (tensor<4x3xf32>, tensor<4xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @mul_c1(%x: tensor<4xf32>, %y: tensor<4xi32>) {
  // expected-error @+1 {{element types 'f32' and 'i32' differ}}
  %z = nn.mul %x, %y : (tensor<4xf32>, tensor<4xi32>) -> tensor<4xf32>
  return
}

// -----

func.func @compare_c3_element_type(%x: tensor<4xf32>) {
  // expected-error @+1 {{result #0 must be statically shaped tensor of 1-bit signless integer values, but got 'tensor<4xf32>'}}
  %z = nn.compare lt %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @select_c1(%c: tensor<4xi1>, %x: tensor<4xf32>, %y: tensor<4xi32>) {
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
