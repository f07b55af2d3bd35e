// Instances of elementwise ops, one op each.
// Float arguments are random of both signs, or positive where the function says
// `test.positive`; integers are below 5, or below `test.below`.

func.func @neg(%a: tensor<5x3xf32>) -> tensor<5x3xf32> {
  %r = nn.neg %a : tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}

func.func @neg_integer(%a: tensor<7xi32>) -> tensor<7xi32> {
  %r = nn.neg %a : tensor<7xi32>
  return %r : tensor<7xi32>
}

func.func @exp(%a: tensor<5x3xf32>) -> tensor<5x3xf32> {
  %r = nn.exp %a : tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}

func.func @log(%a: tensor<5x3xf32>)
    -> tensor<5x3xf32> attributes {test.positive} {
  %r = nn.log %a : tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}

func.func @sqrt(%a: tensor<5x3xf32>)
    -> tensor<5x3xf32> attributes {test.positive} {
  %r = nn.sqrt %a : tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}

func.func @rsqrt(%a: tensor<5x3xf32>)
    -> tensor<5x3xf32> attributes {test.positive} {
  %r = nn.rsqrt %a : tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}

func.func @tanh(%a: tensor<5x3xf32>) -> tensor<5x3xf32> {
  %r = nn.tanh %a : tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}

func.func @sigmoid(%a: tensor<5x3xf32>) -> tensor<5x3xf32> {
  %r = nn.sigmoid %a : tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}

func.func @relu(%a: tensor<5x3xf32>) -> tensor<5x3xf32> {
  %r = nn.relu %a : tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}

func.func @relu_scalar(%a: tensor<f32>) -> tensor<f32> {
  %r = nn.relu %a : tensor<f32>
  return %r : tensor<f32>
}

func.func @relu_empty(%a: tensor<0x3xf32>) -> tensor<0x3xf32> {
  %r = nn.relu %a : tensor<0x3xf32>
  return %r : tensor<0x3xf32>
}

func.func @silu(%a: tensor<5x3xf32>) -> tensor<5x3xf32> {
  %r = nn.silu %a : tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}

func.func @gelu(%a: tensor<2x1x7xf32>) -> tensor<2x1x7xf32> {
  %r = nn.gelu %a : tensor<2x1x7xf32>
  return %r : tensor<2x1x7xf32>
}

func.func @gelu_tanh(%a: tensor<5x3xf32>) -> tensor<5x3xf32> {
  %r = nn.gelu tanh %a : tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}

func.func @cast_float_to_integer(%a: tensor<7x2xf32>) -> tensor<7x2xi32> {
  %r = nn.cast %a : tensor<7x2xf32> -> tensor<7x2xi32>
  return %r : tensor<7x2xi32>
}

func.func @cast_integer_to_float(%a: tensor<7x2xi32>) -> tensor<7x2xf32> {
  %r = nn.cast %a : tensor<7x2xi32> -> tensor<7x2xf32>
  return %r : tensor<7x2xf32>
}

func.func @cast_to_bool(%a: tensor<7x2xf32>) -> tensor<7x2xi1> {
  %r = nn.cast %a : tensor<7x2xf32> -> tensor<7x2xi1>
  return %r : tensor<7x2xi1>
}

func.func @cast_from_bool(%a: tensor<7x2xi1>) -> tensor<7x2xf32> {
  %r = nn.cast %a : tensor<7x2xi1> -> tensor<7x2xf32>
  return %r : tensor<7x2xf32>
}

func.func @cast_narrow_integer(%a: tensor<7x2xi64>) -> tensor<7x2xi32> {
  %r = nn.cast %a : tensor<7x2xi64> -> tensor<7x2xi32>
  return %r : tensor<7x2xi32>
}

func.func @cast_float_to_float(%a: tensor<7x2xf32>) -> tensor<7x2xf64> {
  %r = nn.cast %a : tensor<7x2xf32> -> tensor<7x2xf64>
  return %r : tensor<7x2xf64>
}

func.func @add(%a: tensor<5x3xf32>, %b: tensor<5x3xf32>) -> tensor<5x3xf32> {
  %r = nn.add %a, %b : (tensor<5x3xf32>, tensor<5x3xf32>) -> tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}

func.func @add_broadcasting_both(%a: tensor<5x1xf32>, %b: tensor<4xf32>)
    -> tensor<5x4xf32> {
  %r = nn.add %a, %b : (tensor<5x1xf32>, tensor<4xf32>) -> tensor<5x4xf32>
  return %r : tensor<5x4xf32>
}

func.func @add_ones(%a: tensor<1x3xf32>, %b: tensor<1x1xf32>)
    -> tensor<1x3xf32> {
  %r = nn.add %a, %b : (tensor<1x3xf32>, tensor<1x1xf32>) -> tensor<1x3xf32>
  return %r : tensor<1x3xf32>
}

func.func @add_scalar(%a: tensor<f32>, %b: tensor<2x3xf32>)
    -> tensor<2x3xf32> {
  %r = nn.add %a, %b : (tensor<f32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

func.func @sub(%a: tensor<2x1x3xf32>, %b: tensor<4x1xf32>)
    -> tensor<2x4x3xf32> {
  %r = nn.sub %a, %b : (tensor<2x1x3xf32>, tensor<4x1xf32>) -> tensor<2x4x3xf32>
  return %r : tensor<2x4x3xf32>
}

func.func @sub_integer(%a: tensor<5xi64>, %b: tensor<5xi64>) -> tensor<5xi64> {
  %r = nn.sub %a, %b : (tensor<5xi64>, tensor<5xi64>) -> tensor<5xi64>
  return %r : tensor<5xi64>
}

func.func @mul(%a: tensor<5x3xf32>, %b: tensor<5x3xf32>) -> tensor<5x3xf32> {
  %r = nn.mul %a, %b : (tensor<5x3xf32>, tensor<5x3xf32>) -> tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}

func.func @mul_broadcasting(%a: tensor<5x3xf32>, %b: tensor<1x3xf32>)
    -> tensor<5x3xf32> {
  %r = nn.mul %a, %b : (tensor<5x3xf32>, tensor<1x3xf32>) -> tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}

func.func @mul_integer(%a: tensor<5x3xi32>, %b: tensor<3xi32>)
    -> tensor<5x3xi32> {
  %r = nn.mul %a, %b : (tensor<5x3xi32>, tensor<3xi32>) -> tensor<5x3xi32>
  return %r : tensor<5x3xi32>
}

func.func @div(%a: tensor<5x3xf32>, %b: tensor<3xf32>)
    -> tensor<5x3xf32> attributes {test.positive} {
  %r = nn.div %a, %b : (tensor<5x3xf32>, tensor<3xf32>) -> tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}

func.func @max(%a: tensor<5x3xf32>, %b: tensor<5x1xf32>) -> tensor<5x3xf32> {
  %r = nn.max %a, %b : (tensor<5x3xf32>, tensor<5x1xf32>) -> tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}

func.func @max_integer(%a: tensor<6xi32>, %b: tensor<6xi32>) -> tensor<6xi32> {
  %r = nn.max %a, %b : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
  return %r : tensor<6xi32>
}

func.func @min(%a: tensor<5x3xf32>, %b: tensor<3xf32>) -> tensor<5x3xf32> {
  %r = nn.min %a, %b : (tensor<5x3xf32>, tensor<3xf32>) -> tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}

func.func @compare_eq(%a: tensor<4x1xi32>, %b: tensor<1x5xi32>)
    -> tensor<4x5xi1> {
  %r = nn.compare eq %a, %b
    : (tensor<4x1xi32>, tensor<1x5xi32>) -> tensor<4x5xi1>
  return %r : tensor<4x5xi1>
}

func.func @compare_ne(%a: tensor<4x1xi32>, %b: tensor<1x5xi32>)
    -> tensor<4x5xi1> {
  %r = nn.compare ne %a, %b
    : (tensor<4x1xi32>, tensor<1x5xi32>) -> tensor<4x5xi1>
  return %r : tensor<4x5xi1>
}

func.func @compare_lt(%a: tensor<4x1xi32>, %b: tensor<1x5xi32>)
    -> tensor<4x5xi1> {
  %r = nn.compare lt %a, %b
    : (tensor<4x1xi32>, tensor<1x5xi32>) -> tensor<4x5xi1>
  return %r : tensor<4x5xi1>
}

func.func @compare_le(%a: tensor<4x1xi32>, %b: tensor<1x5xi32>)
    -> tensor<4x5xi1> {
  %r = nn.compare le %a, %b
    : (tensor<4x1xi32>, tensor<1x5xi32>) -> tensor<4x5xi1>
  return %r : tensor<4x5xi1>
}

func.func @compare_gt(%a: tensor<4x1xi32>, %b: tensor<1x5xi32>)
    -> tensor<4x5xi1> {
  %r = nn.compare gt %a, %b
    : (tensor<4x1xi32>, tensor<1x5xi32>) -> tensor<4x5xi1>
  return %r : tensor<4x5xi1>
}

func.func @compare_ge(%a: tensor<4x1xi32>, %b: tensor<1x5xi32>)
    -> tensor<4x5xi1> {
  %r = nn.compare ge %a, %b
    : (tensor<4x1xi32>, tensor<1x5xi32>) -> tensor<4x5xi1>
  return %r : tensor<4x5xi1>
}

func.func @compare_float(%a: tensor<7xf32>, %b: tensor<7xf32>)
    -> tensor<7xi1> {
  %r = nn.compare lt %a, %b : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xi1>
  return %r : tensor<7xi1>
}

func.func @select(%a: tensor<4x1xi1>, %b: tensor<4x5xf32>, %c: tensor<f32>)
    -> tensor<4x5xf32> {
  %r = nn.select %a, %b, %c
    : (tensor<4x1xi1>, tensor<4x5xf32>, tensor<f32>) -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

func.func @select_integer(%a: tensor<2x5xi1>, %b: tensor<2x5xi32>,
    %c: tensor<2x5xi32>)
    -> tensor<2x5xi32> {
  %r = nn.select %a, %b, %c
    : (tensor<2x5xi1>, tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi32>
  return %r : tensor<2x5xi32>
}
