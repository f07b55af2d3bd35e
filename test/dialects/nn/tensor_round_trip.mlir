// RUN: sbp-opt %s --verify-roundtrip

func.func @contractions(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>, %w: tensor<4x6x7xf32>,
                        %q: tensor<2x3x8x4xf32>) {
  %batched = nn.einsum "bij,bjk->bik" %a, %b
      : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  %heads = nn.einsum "btd,dhk->bhtk" %a, %w
      : (tensor<2x3x4xf32>, tensor<4x6x7xf32>) -> tensor<2x6x3x7xf32>
  %attention = nn.attention %q, %q, %q {scale = 0.5 : f64}
      : (tensor<2x3x8x4xf32>, tensor<2x3x8x4xf32>, tensor<2x3x8x4xf32>)
      -> tensor<2x3x8x4xf32>
  %causal = nn.attention causal %q, %q, %q {scale = 0.5 : f64}
      : (tensor<2x3x8x4xf32>, tensor<2x3x8x4xf32>, tensor<2x3x8x4xf32>)
      -> tensor<2x3x8x4xf32>
  return
}

func.func @reductions_and_norms(%x: tensor<2x3x4xf32>, %v: tensor<4xf32>) {
  %sum = nn.reduce sum %x over [0, 2] : tensor<2x3x4xf32> -> tensor<3xf32>
  %max = nn.reduce max %x over [1] keep : tensor<2x3x4xf32> -> tensor<2x1x4xf32>
  %min = nn.reduce min %x over [0, 1, 2] : tensor<2x3x4xf32> -> tensor<f32>
  %mean = nn.reduce mean %x over [0] {count = 5 : i64} : tensor<2x3x4xf32> -> tensor<3x4xf32>
  %softmax = nn.softmax %x dim 1 : tensor<2x3x4xf32>
  %log_softmax = nn.log_softmax %x dim 2 : tensor<2x3x4xf32>
  %layer_norm = nn.layer_norm %x, %v, %v {epsilon = 1.0e-6 : f64}
      : (tensor<2x3x4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x3x4xf32>
  %rms_norm = nn.rms_norm %x, %v : (tensor<2x3x4xf32>, tensor<4xf32>) -> tensor<2x3x4xf32>
  return
}

func.func @look_ups_and_losses(%table: tensor<9x4xf32>, %tokens: tensor<2x3xi32>,
                               %logits: tensor<2x3x9xf32>, %row: tensor<i64>) {
  %embedding = nn.embedding %table, %tokens
      : (tensor<9x4xf32>, tensor<2x3xi32>) -> tensor<2x3x4xf32>
  %part = nn.embedding %table, %tokens from %row
      : (tensor<9x4xf32>, tensor<2x3xi32>, tensor<i64>) -> tensor<2x3x4xf32>
  %cross_entropy = nn.cross_entropy %logits, %tokens
      : (tensor<2x3x9xf32>, tensor<2x3xi32>) -> tensor<f32>
  %mse = nn.mse %logits, %logits {count = 100 : i64}
      : (tensor<2x3x9xf32>, tensor<2x3x9xf32>) -> tensor<f32>
  return
}

func.func @shapes(%x: tensor<2x3x4xf32>, %y: tensor<2x1x4xf32>) {
  %reshape = nn.reshape %x : tensor<2x3x4xf32> -> tensor<6x4xf32>
  %transpose = nn.transpose %x [2, 0, 1] : tensor<2x3x4xf32> -> tensor<4x2x3xf32>
  %broadcast = nn.broadcast %y : tensor<2x1x4xf32> -> tensor<5x2x3x4xf32>
  %slice = nn.slice %x [0, 1, 0] [2, 2, 4] : tensor<2x3x4xf32> -> tensor<2x2x4xf32>
  %pad = nn.pad %x [0, 1, 0] [0, 0, 2] : tensor<2x3x4xf32> -> tensor<2x4x6xf32>
  %concat = nn.concat %x, %y dim 1
      : (tensor<2x3x4xf32>, tensor<2x1x4xf32>) -> tensor<2x4x4xf32>
  return
}
