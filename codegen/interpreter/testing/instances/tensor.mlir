// Instances of contractions, reductions, normalisations, look-ups and losses, one op
// each.
// Float arguments are random of both signs, or positive where the function says
// `test.positive`; integers are below 5, or below `test.below`.

func.func @einsum_matmul(%a: tensor<5x3xf32>, %b: tensor<3x7xf32>)
    -> tensor<5x7xf32> {
  %r = nn.einsum "bi,ij->bj" %a, %b
    : (tensor<5x3xf32>, tensor<3x7xf32>) -> tensor<5x7xf32>
  return %r : tensor<5x7xf32>
}

func.func @einsum_transposed(%a: tensor<4x5xf32>, %b: tensor<3x4xf32>)
    -> tensor<3x5xf32> {
  %r = nn.einsum "ib,ji->jb" %a, %b
    : (tensor<4x5xf32>, tensor<3x4xf32>) -> tensor<3x5xf32>
  return %r : tensor<3x5xf32>
}

func.func @einsum_batched(%a: tensor<2x3x2x4xf32>, %b: tensor<2x3x5x4xf32>)
    -> tensor<2x3x2x5xf32> {
  %r = nn.einsum "bhtd,bhsd->bhts" %a, %b
    : (tensor<2x3x2x4xf32>, tensor<2x3x5x4xf32>) -> tensor<2x3x2x5xf32>
  return %r : tensor<2x3x2x5xf32>
}

func.func @einsum_outer(%a: tensor<3xf32>, %b: tensor<5xf32>)
    -> tensor<3x5xf32> {
  %r = nn.einsum "i,j->ij" %a, %b
    : (tensor<3xf32>, tensor<5xf32>) -> tensor<3x5xf32>
  return %r : tensor<3x5xf32>
}

func.func @einsum_elementwise(%a: tensor<3x5xf32>, %b: tensor<5x3xf32>)
    -> tensor<3x5xf32> {
  %r = nn.einsum "ij,ji->ij" %a, %b
    : (tensor<3x5xf32>, tensor<5x3xf32>) -> tensor<3x5xf32>
  return %r : tensor<3x5xf32>
}

func.func @einsum_dot(%a: tensor<7xf32>, %b: tensor<7xf32>) -> tensor<f32> {
  %r = nn.einsum "i,i->" %a, %b : (tensor<7xf32>, tensor<7xf32>) -> tensor<f32>
  return %r : tensor<f32>
}

func.func @einsum_two_sums(%a: tensor<3x2x4xf32>, %b: tensor<3x2x5xf32>)
    -> tensor<4x5xf32> {
  %r = nn.einsum "abk,abj->kj" %a, %b
    : (tensor<3x2x4xf32>, tensor<3x2x5xf32>) -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

func.func @einsum_scale(%a: tensor<3x2xf32>, %b: tensor<f32>)
    -> tensor<3x2xf32> {
  %r = nn.einsum "ij,->ij" %a, %b
    : (tensor<3x2xf32>, tensor<f32>) -> tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}

func.func @einsum_empty_sum(%a: tensor<3x0xf32>, %b: tensor<0x2xf32>)
    -> tensor<3x2xf32> {
  %r = nn.einsum "bi,ij->bj" %a, %b
    : (tensor<3x0xf32>, tensor<0x2xf32>) -> tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}

func.func @attention(%a: tensor<2x3x2x3xf32>, %b: tensor<2x3x4x3xf32>,
    %c: tensor<2x3x4x5xf32>)
    -> tensor<2x3x2x5xf32> {
  %r = nn.attention %a, %b, %c {scale = 0.5 : f64}
    : (tensor<2x3x2x3xf32>, tensor<2x3x4x3xf32>, tensor<2x3x4x5xf32>)
    -> tensor<2x3x2x5xf32>
  return %r : tensor<2x3x2x5xf32>
}

func.func @attention_causal(%a: tensor<5x3x2xf32>, %b: tensor<5x3x2xf32>,
    %c: tensor<5x3x2xf32>)
    -> tensor<5x3x2xf32> {
  %r = nn.attention causal %a, %b, %c {scale = 0.5 : f64}
    : (tensor<5x3x2xf32>, tensor<5x3x2xf32>, tensor<5x3x2xf32>)
    -> tensor<5x3x2xf32>
  return %r : tensor<5x3x2xf32>
}

func.func @attention_without_batch(%a: tensor<4x2xf32>, %b: tensor<4x2xf32>,
    %c: tensor<4x3xf32>)
    -> tensor<4x3xf32> {
  %r = nn.attention causal %a, %b, %c {scale = 0.5 : f64}
    : (tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x3xf32>)
    -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}

func.func @reduce_sum(%a: tensor<5x3x4xf32>) -> tensor<3xf32> {
  %r = nn.reduce sum %a over [0, 2] : tensor<5x3x4xf32> -> tensor<3xf32>
  return %r : tensor<3xf32>
}

func.func @reduce_sum_keep(%a: tensor<5x3xi32>) -> tensor<5x1xi32> {
  %r = nn.reduce sum %a over [1] keep : tensor<5x3xi32> -> tensor<5x1xi32>
  return %r : tensor<5x1xi32>
}

func.func @reduce_sum_all(%a: tensor<5x3xf32>) -> tensor<f32> {
  %r = nn.reduce sum %a over [0, 1] : tensor<5x3xf32> -> tensor<f32>
  return %r : tensor<f32>
}

func.func @reduce_sum_none(%a: tensor<5x3xf32>) -> tensor<5x3xf32> {
  %r = nn.reduce sum %a over [] : tensor<5x3xf32> -> tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}

func.func @reduce_max(%a: tensor<5x7xf32>) -> tensor<5xf32> {
  %r = nn.reduce max %a over [1] : tensor<5x7xf32> -> tensor<5xf32>
  return %r : tensor<5xf32>
}

func.func @reduce_max_keep(%a: tensor<5x7xf32>) -> tensor<1x7xf32> {
  %r = nn.reduce max %a over [0] keep : tensor<5x7xf32> -> tensor<1x7xf32>
  return %r : tensor<1x7xf32>
}

func.func @reduce_max_integer(%a: tensor<5x2xi32>) -> tensor<2xi32> {
  %r = nn.reduce max %a over [0] : tensor<5x2xi32> -> tensor<2xi32>
  return %r : tensor<2xi32>
}

func.func @reduce_min(%a: tensor<5x7xf32>) -> tensor<7xf32> {
  %r = nn.reduce min %a over [0] : tensor<5x7xf32> -> tensor<7xf32>
  return %r : tensor<7xf32>
}

func.func @reduce_mean(%a: tensor<5x3xf32>) -> tensor<3xf32> {
  %r = nn.reduce mean %a over [0] : tensor<5x3xf32> -> tensor<3xf32>
  return %r : tensor<3xf32>
}

func.func @reduce_mean_keep(%a: tensor<5x3xf32>) -> tensor<1x1xf32> {
  %r = nn.reduce mean %a over [0, 1] keep : tensor<5x3xf32> -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}

func.func @softmax(%a: tensor<5x4xf32>) -> tensor<5x4xf32> {
  %r = nn.softmax %a dim 1 : tensor<5x4xf32>
  return %r : tensor<5x4xf32>
}

func.func @softmax_middle(%a: tensor<2x5x3xf32>) -> tensor<2x5x3xf32> {
  %r = nn.softmax %a dim 1 : tensor<2x5x3xf32>
  return %r : tensor<2x5x3xf32>
}

func.func @log_softmax(%a: tensor<5x4xf32>) -> tensor<5x4xf32> {
  %r = nn.log_softmax %a dim 1 : tensor<5x4xf32>
  return %r : tensor<5x4xf32>
}

func.func @log_softmax_middle(%a: tensor<2x5x3xf32>) -> tensor<2x5x3xf32> {
  %r = nn.log_softmax %a dim 1 : tensor<2x5x3xf32>
  return %r : tensor<2x5x3xf32>
}

func.func @layer_norm(%a: tensor<5x2x4xf32>, %b: tensor<4xf32>,
    %c: tensor<4xf32>)
    -> tensor<5x2x4xf32> {
  %r = nn.layer_norm %a, %b, %c {epsilon = 0.5 : f64}
    : (tensor<5x2x4xf32>, tensor<4xf32>, tensor<4xf32>)
    -> tensor<5x2x4xf32>
  return %r : tensor<5x2x4xf32>
}

func.func @layer_norm_vector(%a: tensor<4xf32>, %b: tensor<4xf32>,
    %c: tensor<4xf32>)
    -> tensor<4xf32> {
  %r = nn.layer_norm %a, %b, %c {epsilon = 0.5 : f64}
    : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
    -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @layer_norm_square(%a: tensor<3x3xf32>, %b: tensor<3xf32>,
    %c: tensor<3xf32>)
    -> tensor<3x3xf32> {
  %r = nn.layer_norm %a, %b, %c {epsilon = 0.5 : f64}
    : (tensor<3x3xf32>, tensor<3xf32>, tensor<3xf32>)
    -> tensor<3x3xf32>
  return %r : tensor<3x3xf32>
}

func.func @rms_norm(%a: tensor<5x3xf32>, %b: tensor<3xf32>)
    -> tensor<5x3xf32> {
  %r = nn.rms_norm %a, %b {epsilon = 0.5 : f64}
    : (tensor<5x3xf32>, tensor<3xf32>)
    -> tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}

func.func @rms_norm_vector(%a: tensor<3xf32>, %b: tensor<3xf32>)
    -> tensor<3xf32> {
  %r = nn.rms_norm %a, %b {epsilon = 0.5 : f64}
    : (tensor<3xf32>, tensor<3xf32>)
    -> tensor<3xf32>
  return %r : tensor<3xf32>
}

func.func @embedding(%a: tensor<7x3xf32>, %b: tensor<5x2xi64>)
    -> tensor<5x2x3xf32> attributes {test.below = 9 : i64} {
  %r = nn.embedding %a, %b
    : (tensor<7x3xf32>, tensor<5x2xi64>) -> tensor<5x2x3xf32>
  return %r : tensor<5x2x3xf32>
}

func.func @embedding_one(%a: tensor<4x5xf32>, %b: tensor<i32>)
    -> tensor<5xf32> {
  %r = nn.embedding %a, %b : (tensor<4x5xf32>, tensor<i32>) -> tensor<5xf32>
  return %r : tensor<5xf32>
}

func.func @embedding_from(%a: tensor<5x3xf32>, %b: tensor<4xi32>,
    %c: tensor<i64>)
    -> tensor<4x3xf32> attributes {test.below = 7 : i64} {
  %r = nn.embedding %a, %b from %c
    : (tensor<5x3xf32>, tensor<4xi32>, tensor<i64>) -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}

func.func @cross_entropy(%a: tensor<3x5x5xf32>, %b: tensor<3x5xi32>)
    -> tensor<f32> {
  %r = nn.cross_entropy %a, %b
    : (tensor<3x5x5xf32>, tensor<3x5xi32>) -> tensor<f32>
  return %r : tensor<f32>
}

func.func @cross_entropy_one(%a: tensor<6xf32>, %b: tensor<i32>)
    -> tensor<f32> {
  %r = nn.cross_entropy %a, %b : (tensor<6xf32>, tensor<i32>) -> tensor<f32>
  return %r : tensor<f32>
}

func.func @mse(%a: tensor<5x3xf32>, %b: tensor<5x3xf32>) -> tensor<f32> {
  %r = nn.mse %a, %b : (tensor<5x3xf32>, tensor<5x3xf32>) -> tensor<f32>
  return %r : tensor<f32>
}

func.func @mse_scalar(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %r = nn.mse %a, %b : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

func.func @batch_variance(%a: tensor<5x3x2x2xf32>, %b: tensor<3xf32>) -> tensor<3xf32> {
  %r = nn.batch_variance %a, %b : (tensor<5x3x2x2xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}

func.func @batch_variance_of_vectors(%a: tensor<5x4xf32>, %b: tensor<4xf32>)
    -> tensor<4xf32> {
  %r = nn.batch_variance %a, %b
    : (tensor<5x4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @batch_norm(%a: tensor<5x3x2x2xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>, %d: tensor<3xf32>,
    %e: tensor<3xf32>)
    -> tensor<5x3x2x2xf32> attributes {test.positive} {
  %r = nn.batch_norm %a, %b, %c, %d, %e {epsilon = 0.5 : f64}
    : (tensor<5x3x2x2xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
    -> tensor<5x3x2x2xf32>
  return %r : tensor<5x3x2x2xf32>
}
