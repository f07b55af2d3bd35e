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

// -----

func.func @neg_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{requires the same type for all operands and results}}
  %y = "nn.neg"(%x) : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @exp_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{requires the same type for all operands and results}}
  %y = "nn.exp"(%x) : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @log_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{requires the same type for all operands and results}}
  %y = "nn.log"(%x) : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @sqrt_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{requires the same type for all operands and results}}
  %y = "nn.sqrt"(%x) : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @rsqrt_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{requires the same type for all operands and results}}
  %y = "nn.rsqrt"(%x) : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @tanh_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{requires the same type for all operands and results}}
  %y = "nn.tanh"(%x) : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @sigmoid_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{requires the same type for all operands and results}}
  %y = "nn.sigmoid"(%x) : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @relu_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{requires the same type for all operands and results}}
  %y = "nn.relu"(%x) : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @silu_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{requires the same type for all operands and results}}
  %y = "nn.silu"(%x) : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @gelu_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{requires the same type for all operands and results}}
  %y = "nn.gelu"(%x) : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @add_c1(%x: tensor<4xf32>, %y: tensor<4xi32>) {
  // expected-error @+1 {{element types 'f32' and 'i32' differ}}
  %z = nn.add %x, %y : (tensor<4xf32>, tensor<4xi32>) -> tensor<4xf32>
  return
}

// -----

func.func @add_c3(%x: tensor<4x3xf32>, %y: tensor<3xf32>) {
  // expected-error @+1 {{has the result types 'tensor<3xf32>', but infers 'tensor<4x3xf32>'}}
  %z = nn.add %x, %y : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @sub_c1(%x: tensor<4xf32>, %y: tensor<4xi32>) {
  // expected-error @+1 {{element types 'f32' and 'i32' differ}}
  %z = nn.sub %x, %y : (tensor<4xf32>, tensor<4xi32>) -> tensor<4xf32>
  return
}

// -----

func.func @sub_c2(%x: tensor<4x3xf32>, %y: tensor<4xf32>) {
  // expected-error @+1 {{extents 3 and 4 do not broadcast, in 'tensor<4x3xf32>' and 'tensor<4xf32>'}}
  %z = nn.sub %x, %y : (tensor<4x3xf32>, tensor<4xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @sub_c3(%x: tensor<4x3xf32>, %y: tensor<3xf32>) {
  // expected-error @+1 {{has the result types 'tensor<3xf32>', but infers 'tensor<4x3xf32>'}}
  %z = nn.sub %x, %y : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @mul_c2(%x: tensor<4x3xf32>, %y: tensor<4xf32>) {
  // expected-error @+1 {{extents 3 and 4 do not broadcast, in 'tensor<4x3xf32>' and 'tensor<4xf32>'}}
  %z = nn.mul %x, %y : (tensor<4x3xf32>, tensor<4xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @mul_c3(%x: tensor<4x3xf32>, %y: tensor<3xf32>) {
  // expected-error @+1 {{has the result types 'tensor<3xf32>', but infers 'tensor<4x3xf32>'}}
  %z = nn.mul %x, %y : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @div_c1(%x: tensor<4xf32>, %y: tensor<4xi32>) {
  // expected-error @+1 {{element types 'f32' and 'i32' differ}}
  %z = nn.div %x, %y : (tensor<4xf32>, tensor<4xi32>) -> tensor<4xf32>
  return
}

// -----

func.func @div_c2(%x: tensor<4x3xf32>, %y: tensor<4xf32>) {
  // expected-error @+1 {{extents 3 and 4 do not broadcast, in 'tensor<4x3xf32>' and 'tensor<4xf32>'}}
  %z = nn.div %x, %y : (tensor<4x3xf32>, tensor<4xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @div_c3(%x: tensor<4x3xf32>, %y: tensor<3xf32>) {
  // expected-error @+1 {{has the result types 'tensor<3xf32>', but infers 'tensor<4x3xf32>'}}
  %z = nn.div %x, %y : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @max_c1(%x: tensor<4xf32>, %y: tensor<4xi32>) {
  // expected-error @+1 {{element types 'f32' and 'i32' differ}}
  %z = nn.max %x, %y : (tensor<4xf32>, tensor<4xi32>) -> tensor<4xf32>
  return
}

// -----

func.func @max_c2(%x: tensor<4x3xf32>, %y: tensor<4xf32>) {
  // expected-error @+1 {{extents 3 and 4 do not broadcast, in 'tensor<4x3xf32>' and 'tensor<4xf32>'}}
  %z = nn.max %x, %y : (tensor<4x3xf32>, tensor<4xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @max_c3(%x: tensor<4x3xf32>, %y: tensor<3xf32>) {
  // expected-error @+1 {{has the result types 'tensor<3xf32>', but infers 'tensor<4x3xf32>'}}
  %z = nn.max %x, %y : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @min_c1(%x: tensor<4xf32>, %y: tensor<4xi32>) {
  // expected-error @+1 {{element types 'f32' and 'i32' differ}}
  %z = nn.min %x, %y : (tensor<4xf32>, tensor<4xi32>) -> tensor<4xf32>
  return
}

// -----

func.func @min_c2(%x: tensor<4x3xf32>, %y: tensor<4xf32>) {
  // expected-error @+1 {{extents 3 and 4 do not broadcast, in 'tensor<4x3xf32>' and 'tensor<4xf32>'}}
  %z = nn.min %x, %y : (tensor<4x3xf32>, tensor<4xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @min_c3(%x: tensor<4x3xf32>, %y: tensor<3xf32>) {
  // expected-error @+1 {{has the result types 'tensor<3xf32>', but infers 'tensor<4x3xf32>'}}
  %z = nn.min %x, %y : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @compare_c1(%x: tensor<4xf32>, %y: tensor<4xi32>) {
  // expected-error @+1 {{element types 'f32' and 'i32' differ}}
  %z = nn.compare lt %x, %y : (tensor<4xf32>, tensor<4xi32>) -> tensor<4xi1>
  return
}

// -----

func.func @compare_c2(%x: tensor<4xf32>, %y: tensor<3xf32>) {
  // expected-error @+1 {{extents 4 and 3 do not broadcast}}
  %z = nn.compare lt %x, %y : (tensor<4xf32>, tensor<3xf32>) -> tensor<4xi1>
  return
}

// -----

func.func @compare_c3_shape(%x: tensor<4xf32>) {
  // expected-error @+1 {{has the result types 'tensor<3xi1>', but infers 'tensor<4xi1>'}}
  %z = nn.compare lt %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<3xi1>
  return
}

// -----

func.func @select_c2(%c: tensor<3xi1>, %x: tensor<4xf32>) {
  // expected-error @+1 {{extents 3 and 4 do not broadcast}}
  %z = nn.select %c, %x, %x : (tensor<3xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @select_c3(%c: tensor<4xi1>, %x: tensor<4xf32>) {
  // expected-error @+1 {{has the result types 'tensor<4xf64>', but infers 'tensor<4xf32>'}}
  %z = nn.select %c, %x, %x : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf64>
  return
}
