// Instances of convolutions, poolings and their gradients, one op each.
// Float arguments are random of both signs, or positive where the function says
// `test.positive`; integers are below 5, or below `test.below`.

func.func @convolution(%a: tensor<2x3x5x7xf32>, %b: tensor<4x3x3x2xf32>)
    -> tensor<2x4x3x6xf32> {
  %r = nn.convolution %a, %b
    : (tensor<2x3x5x7xf32>, tensor<4x3x3x2xf32>) -> tensor<2x4x3x6xf32>
  return %r : tensor<2x4x3x6xf32>
}

func.func @convolution_padded(%a: tensor<3x2x5x4xf32>, %b: tensor<3x2x3x3xf32>)
    -> tensor<3x3x5x4xf32> {
  %r = nn.convolution %a, %b low [1, 1] high [1, 1]
    : (tensor<3x2x5x4xf32>, tensor<3x2x3x3xf32>) -> tensor<3x3x5x4xf32>
  return %r : tensor<3x3x5x4xf32>
}

func.func @convolution_strided(%a: tensor<2x3x7x8xf32>, %b: tensor<2x3x3x2xf32>)
    -> tensor<2x2x4x3xf32> {
  %r = nn.convolution %a, %b strides [2, 3] low [1, 0] high [1, 1]
    dilations [1, 2]
    : (tensor<2x3x7x8xf32>, tensor<2x3x3x2xf32>) -> tensor<2x2x4x3xf32>
  return %r : tensor<2x2x4x3xf32>
}

func.func @convolution_of_sequences(%a: tensor<2x3x9xf32>, %b: tensor<5x3x4xf32>)
    -> tensor<2x5x8xf32> {
  %r = nn.convolution %a, %b low [2]
    : (tensor<2x3x9xf32>, tensor<5x3x4xf32>) -> tensor<2x5x8xf32>
  return %r : tensor<2x5x8xf32>
}

func.func @convolution_from(%a: tensor<2x3x5x4xf32>, %b: tensor<2x3x2x3xf32>,
    %c: tensor<i64>, %d: tensor<i64>)
    -> tensor<2x2x3x2xf32> attributes {test.below = 2 : i64} {
  %r = nn.convolution %a, %b from %c, %d in [0, 1] low [0, 1] high [1, 1]
    : (tensor<2x3x5x4xf32>, tensor<2x3x2x3xf32>, tensor<i64>, tensor<i64>)
    -> tensor<2x2x3x2xf32>
  return %r : tensor<2x2x3x2xf32>
}

func.func @convolution_input_grad(%a: tensor<3x2x3x2xf32>,
    %b: tensor<2x3x5x4xf32>)
    -> tensor<2x2x7x3xf32> {
  %r = nn.convolution_input_grad %a, %b low [0, 1] high [0, 1]
    : (tensor<3x2x3x2xf32>, tensor<2x3x5x4xf32>) -> tensor<2x2x7x3xf32>
  return %r : tensor<2x2x7x3xf32>
}

func.func @convolution_input_grad_strided(%a: tensor<2x3x3x2xf32>,
    %b: tensor<2x2x4x3xf32>)
    -> tensor<2x3x7x8xf32> {
  %r = nn.convolution_input_grad %a, %b strides [2, 3] low [1, 0] high [1, 1]
    dilations [1, 2]
    : (tensor<2x3x3x2xf32>, tensor<2x2x4x3xf32>) -> tensor<2x3x7x8xf32>
  return %r : tensor<2x3x7x8xf32>
}

func.func @convolution_input_grad_from(%a: tensor<2x3x2x3xf32>,
    %b: tensor<2x2x3x2xf32>, %c: tensor<i64>, %d: tensor<i64>)
    -> tensor<2x3x5x4xf32> attributes {test.below = 2 : i64} {
  %r = nn.convolution_input_grad %a, %b from %c, %d in [0, 1] low [0, 1] high [1, 1]
    : (tensor<2x3x2x3xf32>, tensor<2x2x3x2xf32>, tensor<i64>, tensor<i64>)
    -> tensor<2x3x5x4xf32>
  return %r : tensor<2x3x5x4xf32>
}

func.func @convolution_filter_grad(%a: tensor<3x2x5x4xf32>,
    %b: tensor<3x3x5x3xf32>)
    -> tensor<3x2x3x2xf32> {
  %r = nn.convolution_filter_grad %a, %b low [1, 0] high [1, 0]
    : (tensor<3x2x5x4xf32>, tensor<3x3x5x3xf32>) -> tensor<3x2x3x2xf32>
  return %r : tensor<3x2x3x2xf32>
}

func.func @convolution_filter_grad_strided(%a: tensor<2x3x7x8xf32>,
    %b: tensor<2x2x4x3xf32>)
    -> tensor<2x3x3x2xf32> {
  %r = nn.convolution_filter_grad %a, %b strides [2, 3] low [1, 0] high [1, 1]
    dilations [1, 2]
    : (tensor<2x3x7x8xf32>, tensor<2x2x4x3xf32>) -> tensor<2x3x3x2xf32>
  return %r : tensor<2x3x3x2xf32>
}

func.func @convolution_filter_grad_from(%a: tensor<2x3x5x4xf32>,
    %b: tensor<2x2x3x2xf32>, %c: tensor<i64>, %d: tensor<i64>)
    -> tensor<2x3x2x3xf32> attributes {test.below = 2 : i64} {
  %r = nn.convolution_filter_grad %a, %b from %c, %d in [0, 1] low [0, 1] high [1, 1]
    : (tensor<2x3x5x4xf32>, tensor<2x2x3x2xf32>, tensor<i64>, tensor<i64>)
    -> tensor<2x3x2x3xf32>
  return %r : tensor<2x3x2x3xf32>
}

func.func @pool_max(%a: tensor<2x3x5x7xf32>) -> tensor<2x3x3x4xf32> {
  %r = nn.pool max %a over [3, 2] strides [2, 2] low [1, 0] high [1, 1]
    : (tensor<2x3x5x7xf32>) -> tensor<2x3x3x4xf32>
  return %r : tensor<2x3x3x4xf32>
}

func.func @pool_max_grad(%a: tensor<2x3x5x7xf32>, %b: tensor<2x3x3x4xf32>)
    -> tensor<2x3x5x7xf32> {
  %r = nn.pool_grad max %a, %b over [3, 2] strides [2, 2] low [1, 0] high [1, 1]
    : (tensor<2x3x5x7xf32>, tensor<2x3x3x4xf32>) -> tensor<2x3x5x7xf32>
  return %r : tensor<2x3x5x7xf32>
}

func.func @pool_mean(%a: tensor<2x3x5x7xf32>) -> tensor<2x3x3x4xf32> {
  %r = nn.pool mean %a over [3, 2] strides [2, 2] low [1, 0] high [1, 1]
    : (tensor<2x3x5x7xf32>) -> tensor<2x3x3x4xf32>
  return %r : tensor<2x3x3x4xf32>
}

func.func @pool_mean_grad(%a: tensor<2x3x5x7xf32>, %b: tensor<2x3x3x4xf32>)
    -> tensor<2x3x5x7xf32> {
  %r = nn.pool_grad mean %a, %b over [3, 2] strides [2, 2] low [1, 0] high [1, 1]
    : (tensor<2x3x5x7xf32>, tensor<2x3x3x4xf32>) -> tensor<2x3x5x7xf32>
  return %r : tensor<2x3x5x7xf32>
}

func.func @pool_min(%a: tensor<2x3x5x7xf32>) -> tensor<2x3x3x4xf32> {
  %r = nn.pool min %a over [3, 2] strides [2, 2] low [1, 0] high [1, 1]
    : (tensor<2x3x5x7xf32>) -> tensor<2x3x3x4xf32>
  return %r : tensor<2x3x3x4xf32>
}

func.func @pool_min_grad(%a: tensor<2x3x5x7xf32>, %b: tensor<2x3x3x4xf32>)
    -> tensor<2x3x5x7xf32> {
  %r = nn.pool_grad min %a, %b over [3, 2] strides [2, 2] low [1, 0] high [1, 1]
    : (tensor<2x3x5x7xf32>, tensor<2x3x3x4xf32>) -> tensor<2x3x5x7xf32>
  return %r : tensor<2x3x5x7xf32>
}

func.func @pool_sum(%a: tensor<2x3x5x7xf32>) -> tensor<2x3x3x4xf32> {
  %r = nn.pool sum %a over [3, 2] strides [2, 2] low [1, 0] high [1, 1]
    : (tensor<2x3x5x7xf32>) -> tensor<2x3x3x4xf32>
  return %r : tensor<2x3x3x4xf32>
}

func.func @pool_sum_grad(%a: tensor<2x3x5x7xf32>, %b: tensor<2x3x3x4xf32>)
    -> tensor<2x3x5x7xf32> {
  %r = nn.pool_grad sum %a, %b over [3, 2] strides [2, 2] low [1, 0] high [1, 1]
    : (tensor<2x3x5x7xf32>, tensor<2x3x3x4xf32>) -> tensor<2x3x5x7xf32>
  return %r : tensor<2x3x5x7xf32>
}

func.func @pool_from(%a: tensor<2x2x9xf32>, %b: tensor<i64>)
    -> tensor<2x2x3xf32> {
  %r = nn.pool max %a over [3] from %b in [0] dilations [2]
    : (tensor<2x2x9xf32>, tensor<i64>) -> tensor<2x2x3xf32>
  return %r : tensor<2x2x3xf32>
}

func.func @pool_grad_from(%a: tensor<2x2x9xf32>, %b: tensor<2x2x3xf32>,
    %c: tensor<i64>)
    -> tensor<2x2x9xf32> {
  %r = nn.pool_grad mean %a, %b over [3] from %c in [0] dilations [2]
    : (tensor<2x2x9xf32>, tensor<2x2x3xf32>, tensor<i64>) -> tensor<2x2x9xf32>
  return %r : tensor<2x2x9xf32>
}

func.func @pool_from_one(%a: tensor<2x2x5x7xf32>, %b: tensor<i64>)
    -> tensor<2x2x5x2xf32> {
  %r = nn.pool sum %a over [1, 2] from %b in [1]
    : (tensor<2x2x5x7xf32>, tensor<i64>) -> tensor<2x2x5x2xf32>
  return %r : tensor<2x2x5x2xf32>
}
