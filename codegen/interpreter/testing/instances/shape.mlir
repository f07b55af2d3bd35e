// Instances of constants, iota and ops that move elements, one op each.
// Float arguments are random of both signs, or positive where the function says
// `test.positive`; integers are below 5, or below `test.below`.

func.func @constant_splat() -> tensor<5x3xf32> {
  %r = nn.constant dense<2.5> : tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}

func.func @constant_literal() -> tensor<3xi32> {
  %r = nn.constant dense<[1, 2, 4]> : tensor<3xi32>
  return %r : tensor<3xi32>
}

func.func @constant_sparse() -> tensor<3x4xf32> {
  %r = nn.constant sparse<[[0, 1], [2, 3]], [1.0, -2.0]> : tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

func.func @constant_resource() -> tensor<2xi32> {
  %r = nn.constant dense_resource<integers> : tensor<2xi32>
  return %r : tensor<2xi32>
}

func.func @constant_resource_of_one() -> tensor<i64> {
  %r = nn.constant dense_resource<number> : tensor<i64>
  return %r : tensor<i64>
}

func.func @constant_resource_of_bits() -> tensor<3xi1> {
  %r = nn.constant dense_resource<bits> : tensor<3xi1>
  return %r : tensor<3xi1>
}

func.func @iota_rows() -> tensor<7x2xi32> {
  %r = nn.iota dim 0 : () -> tensor<7x2xi32>
  return %r : tensor<7x2xi32>
}

func.func @iota_columns() -> tensor<2x7xf32> {
  %r = nn.iota dim 1 : () -> tensor<2x7xf32>
  return %r : tensor<2x7xf32>
}

func.func @iota_from(%a: tensor<i64>) -> tensor<5x3xi64> {
  %r = nn.iota from %a dim 0 : (tensor<i64>) -> tensor<5x3xi64>
  return %r : tensor<5x3xi64>
}

func.func @reshape_merge(%a: tensor<4x3x2xf32>) -> tensor<12x2xf32> {
  %r = nn.reshape %a : tensor<4x3x2xf32> -> tensor<12x2xf32>
  return %r : tensor<12x2xf32>
}

func.func @reshape_merge_uneven_lead(%a: tensor<5x3xf32>) -> tensor<15xf32> {
  %r = nn.reshape %a : tensor<5x3xf32> -> tensor<15xf32>
  return %r : tensor<15xf32>
}

func.func @reshape_split(%a: tensor<12x5xf32>) -> tensor<4x3x5xf32> {
  %r = nn.reshape %a : tensor<12x5xf32> -> tensor<4x3x5xf32>
  return %r : tensor<4x3x5xf32>
}

func.func @reshape_split_last(%a: tensor<5x12xf32>) -> tensor<5x6x2xf32> {
  %r = nn.reshape %a : tensor<5x12xf32> -> tensor<5x6x2xf32>
  return %r : tensor<5x6x2xf32>
}

func.func @reshape_regroup(%a: tensor<4x6xf32>) -> tensor<6x4xf32> {
  %r = nn.reshape %a : tensor<4x6xf32> -> tensor<6x4xf32>
  return %r : tensor<6x4xf32>
}

func.func @reshape_ones(%a: tensor<1x6x1xf32>) -> tensor<6x1xf32> {
  %r = nn.reshape %a : tensor<1x6x1xf32> -> tensor<6x1xf32>
  return %r : tensor<6x1xf32>
}

func.func @reshape_to_scalar(%a: tensor<1x1xf32>) -> tensor<f32> {
  %r = nn.reshape %a : tensor<1x1xf32> -> tensor<f32>
  return %r : tensor<f32>
}

func.func @reshape_empty(%a: tensor<0x3xf32>) -> tensor<2x0xf32> {
  %r = nn.reshape %a : tensor<0x3xf32> -> tensor<2x0xf32>
  return %r : tensor<2x0xf32>
}

func.func @reshape_integer(%a: tensor<6x4xi32>) -> tensor<24xi32> {
  %r = nn.reshape %a : tensor<6x4xi32> -> tensor<24xi32>
  return %r : tensor<24xi32>
}

func.func @transpose(%a: tensor<2x3x5xf32>) -> tensor<5x2x3xf32> {
  %r = nn.transpose %a [2, 0, 1] : tensor<2x3x5xf32> -> tensor<5x2x3xf32>
  return %r : tensor<5x2x3xf32>
}

func.func @transpose_bool(%a: tensor<3x5xi1>) -> tensor<5x3xi1> {
  %r = nn.transpose %a [1, 0] : tensor<3x5xi1> -> tensor<5x3xi1>
  return %r : tensor<5x3xi1>
}

func.func @broadcast(%a: tensor<4x1xf32>) -> tensor<2x4x5xf32> {
  %r = nn.broadcast %a : tensor<4x1xf32> -> tensor<2x4x5xf32>
  return %r : tensor<2x4x5xf32>
}

func.func @broadcast_scalar(%a: tensor<f32>) -> tensor<3x2xf32> {
  %r = nn.broadcast %a : tensor<f32> -> tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}

func.func @broadcast_nothing(%a: tensor<3x1xi32>) -> tensor<3x1xi32> {
  %r = nn.broadcast %a : tensor<3x1xi32> -> tensor<3x1xi32>
  return %r : tensor<3x1xi32>
}

func.func @slice(%a: tensor<5x8xf32>) -> tensor<5x3xf32> {
  %r = nn.slice %a [0, 2] [5, 3] : tensor<5x8xf32> -> tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}

func.func @part(%k: tensor<i64>, %a: tensor<5x6x3xf32>) -> tensor<5x3xf32> {
  %r = nn.part %k of %a dim 1 : (tensor<i64>, tensor<5x6x3xf32>) -> tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}

func.func @slice_both(%a: tensor<5x8xf32>) -> tensor<3x7xf32> {
  %r = nn.slice %a [1, 0] [3, 7] : tensor<5x8xf32> -> tensor<3x7xf32>
  return %r : tensor<3x7xf32>
}

func.func @pad(%a: tensor<5x3xf32>) -> tensor<5x8xf32> {
  %r = nn.pad %a [0, 2] [0, 3] : tensor<5x3xf32> -> tensor<5x8xf32>
  return %r : tensor<5x8xf32>
}

func.func @pad_integer(%a: tensor<4xi32>) -> tensor<5xi32> {
  %r = nn.pad %a [1] [0] : tensor<4xi32> -> tensor<5xi32>
  return %r : tensor<5xi32>
}

func.func @concat(%a: tensor<5x3xf32>, %b: tensor<5x1xf32>, %c: tensor<5x2xf32>)
    -> tensor<5x6xf32> {
  %r = nn.concat %a, %b, %c dim 1
    : (tensor<5x3xf32>, tensor<5x1xf32>, tensor<5x2xf32>) -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}

func.func @concat_rows(%a: tensor<2x3xi32>, %b: tensor<4x3xi32>)
    -> tensor<6x3xi32> {
  %r = nn.concat %a, %b dim 0
    : (tensor<2x3xi32>, tensor<4x3xi32>) -> tensor<6x3xi32>
  return %r : tensor<6x3xi32>
}

// Each resource has its alignment in four bytes, then its elements. They are integers,
// since tests also read the instances with f64 in place of f32.
{-#
  dialect_resources: {
    builtin: {
      integers: "0x0400000001000000FDFFFFFF",
      number: "0x080000002A00000000000000",
      bits: "0x01000000010001"
    }
  }
#-}
