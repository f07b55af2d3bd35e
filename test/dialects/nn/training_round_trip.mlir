// RUN: sbp-opt %s --verify-roundtrip

func.func @gradients(%x: tensor<2x4xf32>, %g: tensor<2x4xf32>, %v: tensor<4xf32>,
                     %labels: tensor<2xi32>, %one: tensor<f32>, %q: tensor<2x3x8x4xf32>) {
  %gelu = nn.gelu_grad %x, %g : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %gelut = nn.gelu_grad tanh %x, %g : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %silu = nn.silu_grad %x, %g : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %softmax = nn.softmax_grad %x, %g dim 1
      : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %log_softmax = nn.log_softmax_grad %x, %g dim 1
      : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %layer_norm:3 = nn.layer_norm_grad %x, %v, %g
      : (tensor<2x4xf32>, tensor<4xf32>, tensor<2x4xf32>)
      -> (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>)
  %rms_norm:2 = nn.rms_norm_grad %x, %v, %g
      : (tensor<2x4xf32>, tensor<4xf32>, tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<4xf32>)
  %embedding = nn.embedding_grad %labels, %g
      : (tensor<2xi32>, tensor<2x4xf32>) -> tensor<9x4xf32>
  %cross_entropy = nn.cross_entropy_grad %x, %labels, %one
      : (tensor<2x4xf32>, tensor<2xi32>, tensor<f32>) -> tensor<2x4xf32>
  %attention:3 = nn.attention_grad causal %q, %q, %q, %q {scale = 0.5 : f64}
      : (tensor<2x3x8x4xf32>, tensor<2x3x8x4xf32>, tensor<2x3x8x4xf32>, tensor<2x3x8x4xf32>)
      -> (tensor<2x3x8x4xf32>, tensor<2x3x8x4xf32>, tensor<2x3x8x4xf32>)
  return
}

func.func @steps(%w: tensor<4xf32>, %g: tensor<4xf32>, %v: tensor<4xf32>, %c: tensor<f32>,
                 %lr: tensor<f32>) {
  %sgd = nn.sgd %w, %g, %lr {weight_decay = 0.0 : f64}
      : (tensor<4xf32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %momentum:2 = nn.momentum %w, %g, %v, %lr {momentum = 0.9 : f64, weight_decay = 0.0 : f64}
      : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f32>)
      -> (tensor<4xf32>, tensor<4xf32>)
  %adamw:3 = nn.adam decoupled %w, %g, %v, %v, %c, %c, %lr
      {beta1 = 0.9 : f64, beta2 = 0.99 : f64, epsilon = 1.0e-8 : f64,
       weight_decay = 0.01 : f64}
      : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f32>,
         tensor<f32>, tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}
