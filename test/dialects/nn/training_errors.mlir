// RUN: sbp-opt %s --split-input-file --verify-diagnostics

func.func @gelu_grad_c1(%x: tensor<4xf32>, %g: tensor<3xf32>) {
  // expected-error @+1 {{needs tensors of one type, but has 'tensor<4xf32>' and 'tensor<3xf32>'}}
  %d = nn.gelu_grad %x, %g : (tensor<4xf32>, tensor<3xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @gelu_grad_c2(%x: tensor<4xf32>) {
  // expected-error @+1 {{has the result types 'tensor<3xf32>', but infers 'tensor<4xf32>'}}
  %d = nn.gelu_grad %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @silu_grad_c1(%x: tensor<4xf32>, %g: tensor<3xf32>) {
  // expected-error @+1 {{needs tensors of one type, but has 'tensor<4xf32>' and 'tensor<3xf32>'}}
  %d = nn.silu_grad %x, %g : (tensor<4xf32>, tensor<3xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @silu_grad_c2(%x: tensor<4xf32>) {
  // expected-error @+1 {{has the result types 'tensor<3xf32>', but infers 'tensor<4xf32>'}}
  %d = nn.silu_grad %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @softmax_grad_c3(%x: tensor<4x3xf32>) {
  // expected-error @+1 {{has the result types 'tensor<4xf32>', but infers 'tensor<4x3xf32>'}}
  %d = nn.softmax_grad %x, %x dim 1 : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @log_softmax_grad_c1(%x: tensor<4x3xf32>) {
  // expected-error @+1 {{normalises dimension 2 of a tensor of rank 2}}
  %d = nn.log_softmax_grad %x, %x dim 2 : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @log_softmax_grad_c2(%x: tensor<4x3xf32>, %g: tensor<4xf32>) {
  // expected-error @+1 {{needs tensors of one type, but has 'tensor<4x3xf32>' and 'tensor<4xf32>'}}
  %d = nn.log_softmax_grad %x, %g dim 1 : (tensor<4x3xf32>, tensor<4xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @log_softmax_grad_c3(%x: tensor<4x3xf32>) {
  // expected-error @+1 {{has the result types 'tensor<4xf32>', but infers 'tensor<4x3xf32>'}}
  %d = nn.log_softmax_grad %x, %x dim 1 : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @layer_norm_grad_c1(%x: tensor<f32>, %v: tensor<1xf32>, %g: tensor<f32>) {
  // expected-error @+1 {{normalises the last dimension of 'tensor<f32>', which has none}}
  %d:3 = nn.layer_norm_grad %x, %v, %g : (tensor<f32>, tensor<1xf32>, tensor<f32>) -> (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @layer_norm_grad_c2(%x: tensor<4x3xf32>, %v: tensor<4xf32>, %g: tensor<4x3xf32>) {
  // expected-error @+1 {{scales a last dimension of extent 3 by 'tensor<4xf32>'}}
  %d:3 = nn.layer_norm_grad %x, %v, %g : (tensor<4x3xf32>, tensor<4xf32>, tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @layer_norm_grad_c4(%x: tensor<4x3xf32>, %v: tensor<3xf32>, %g: tensor<4x3xf32>) {
  // expected-error @+1 {{attribute 'epsilon' failed to satisfy constraint: 64-bit float attribute whose value is finite and at least 0}}
  %d:3 = nn.layer_norm_grad %x, %v, %g {epsilon = -1.0 : f64} : (tensor<4x3xf32>, tensor<3xf32>, tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @layer_norm_grad_c5(%x: tensor<4x3xf32>, %v: tensor<3xf32>, %g: tensor<4x3xf32>) {
  // expected-error @+1 {{has the result types 'tensor<4x3xf32>', 'tensor<4xf32>', 'tensor<3xf32>', but infers 'tensor<4x3xf32>', 'tensor<3xf32>', 'tensor<3xf32>'}}
  %d:3 = nn.layer_norm_grad %x, %v, %g : (tensor<4x3xf32>, tensor<3xf32>, tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<4xf32>, tensor<3xf32>)
  return
}

// -----

func.func @rms_norm_grad_c1(%x: tensor<f32>, %v: tensor<1xf32>, %g: tensor<f32>) {
  // expected-error @+1 {{normalises the last dimension of 'tensor<f32>', which has none}}
  %d:2 = nn.rms_norm_grad %x, %v, %g : (tensor<f32>, tensor<1xf32>, tensor<f32>) -> (tensor<4x3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @rms_norm_grad_c2(%x: tensor<4x3xf32>, %v: tensor<4xf32>, %g: tensor<4x3xf32>) {
  // expected-error @+1 {{scales a last dimension of extent 3 by 'tensor<4xf32>'}}
  %d:2 = nn.rms_norm_grad %x, %v, %g : (tensor<4x3xf32>, tensor<4xf32>, tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @rms_norm_grad_c3(%x: tensor<4x3xf32>, %v: tensor<3xf32>, %g: tensor<3x4xf32>) {
  // expected-error @+1 {{needs tensors of one type, but has 'tensor<4x3xf32>' and 'tensor<3x4xf32>'}}
  %d:2 = nn.rms_norm_grad %x, %v, %g : (tensor<4x3xf32>, tensor<3xf32>, tensor<3x4xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @rms_norm_grad_c4(%x: tensor<4x3xf32>, %v: tensor<3xf32>, %g: tensor<4x3xf32>) {
  // expected-error @+1 {{attribute 'epsilon' failed to satisfy constraint: 64-bit float attribute whose value is finite and at least 0}}
  %d:2 = nn.rms_norm_grad %x, %v, %g {epsilon = -1.0 : f64} : (tensor<4x3xf32>, tensor<3xf32>, tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @rms_norm_grad_c5(%x: tensor<4x3xf32>, %v: tensor<3xf32>, %g: tensor<4x3xf32>) {
  // expected-error @+1 {{has the result types 'tensor<4x3xf32>', 'tensor<4xf32>', but infers 'tensor<4x3xf32>', 'tensor<3xf32>'}}
  %d:2 = nn.rms_norm_grad %x, %v, %g : (tensor<4x3xf32>, tensor<3xf32>, tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<4xf32>)
  return
}

// -----

func.func @embedding_grad_c1(%i: tensor<3xi32>, %g: tensor<3x4xf32>) {
  // expected-error @+1 {{element types 'f32' and 'f64' differ}}
  %d = nn.embedding_grad %i, %g : (tensor<3xi32>, tensor<3x4xf32>) -> tensor<8x4xf64>
  return
}

// -----

func.func @cross_entropy_grad_c1(%x: tensor<4x3xf32>, %l: tensor<3xi32>, %g: tensor<f32>) {
  // expected-error @+1 {{compares logits 'tensor<4x3xf32>' with labels 'tensor<3xi32>'}}
  %d = nn.cross_entropy_grad %x, %l, %g : (tensor<4x3xf32>, tensor<3xi32>, tensor<f32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @cross_entropy_grad_c2(%x: tensor<4x3xf32>, %l: tensor<4xi32>, %g: tensor<f32>) {
  // expected-error @+1 {{has the result types 'tensor<3x4xf32>', but infers 'tensor<4x3xf32>'}}
  %d = nn.cross_entropy_grad %x, %l, %g : (tensor<4x3xf32>, tensor<4xi32>, tensor<f32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @attention_grad_c1(%q: tensor<2x3x4xf32>, %k: tensor<2x5x4xf64>, %g: tensor<2x3x4xf32>) {
  // expected-error @+1 {{element types 'f32' and 'f64' differ}}
  %d:3 = nn.attention_grad %q, %k, %k, %g {scale = 1.0 : f64} : (tensor<2x3x4xf32>, tensor<2x5x4xf64>, tensor<2x5x4xf64>, tensor<2x3x4xf32>) -> (tensor<2x3x4xf32>, tensor<2x5x4xf64>, tensor<2x5x4xf64>)
  return
}

// -----

func.func @attention_grad_c2(%q: tensor<2x3x4xf32>, %k: tensor<2x5x6xf32>, %g: tensor<2x3x4xf32>) {
  // expected-error @+1 {{are not [..., T, D], [..., S, D] and [..., S, E]}}
  %d:3 = nn.attention_grad %q, %k, %k, %g {scale = 1.0 : f64} : (tensor<2x3x4xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x3x4xf32>) -> (tensor<2x3x4xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>)
  return
}

// -----

func.func @attention_grad_c4(%q: tensor<2x3x4xf32>, %k: tensor<2x5x4xf32>, %g: tensor<2x3x4xf32>) {
  // expected-error @+1 {{has the result types 'tensor<2x3x4xf32>', 'tensor<2x3x4xf32>', 'tensor<2x5x4xf32>', but infers 'tensor<2x3x4xf32>', 'tensor<2x5x4xf32>', 'tensor<2x5x4xf32>'}}
  %d:3 = nn.attention_grad %q, %k, %k, %g {scale = 1.0 : f64} : (tensor<2x3x4xf32>, tensor<2x5x4xf32>, tensor<2x5x4xf32>, tensor<2x3x4xf32>) -> (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x5x4xf32>)
  return
}

// -----

func.func @sgd_c2(%w: tensor<4xf32>, %lr: tensor<f32>) {
  // expected-error @+1 {{attribute 'weight_decay' failed to satisfy constraint: 64-bit float attribute whose value is finite and at least 0}}
  %u = nn.sgd %w, %w, %lr {weight_decay = -0.1 : f64} : (tensor<4xf32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @sgd_c3(%w: tensor<4xf32>, %lr: tensor<f32>) {
  // expected-error @+1 {{has the result types 'tensor<3xf32>', but infers 'tensor<4xf32>'}}
  %u = nn.sgd %w, %w, %lr {weight_decay = 0.0 : f64} : (tensor<4xf32>, tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// -----

func.func @momentum_c1(%w: tensor<4xf32>, %v: tensor<3xf32>, %lr: tensor<f32>) {
  // expected-error @+1 {{needs tensors of one type, but has 'tensor<4xf32>' and 'tensor<3xf32>'}}
  %u:2 = nn.momentum %w, %w, %v, %lr {momentum = 0.9 : f64, weight_decay = 0.0 : f64} : (tensor<4xf32>, tensor<4xf32>, tensor<3xf32>, tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @momentum_c2(%w: tensor<4xf32>, %v: tensor<4xf32>, %lr: tensor<f32>) {
  // expected-error @+1 {{attribute 'momentum' failed to satisfy constraint: 64-bit float attribute whose value is finite and at least 0}}
  %u:2 = nn.momentum %w, %w, %v, %lr {momentum = -0.9 : f64, weight_decay = 0.0 : f64} : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @momentum_c2_weight_decay(%w: tensor<4xf32>, %v: tensor<4xf32>, %lr: tensor<f32>) {
  // expected-error @+1 {{attribute 'weight_decay' failed to satisfy constraint: 64-bit float attribute whose value is finite and at least 0}}
  %u:2 = nn.momentum %w, %w, %v, %lr {momentum = 0.9 : f64, weight_decay = -0.1 : f64} : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @momentum_c3(%w: tensor<4xf32>, %v: tensor<4xf32>, %lr: tensor<f32>) {
  // expected-error @+1 {{has the result types 'tensor<4xf32>', 'tensor<3xf32>', but infers 'tensor<4xf32>', 'tensor<4xf32>'}}
  %u:2 = nn.momentum %w, %w, %v, %lr {momentum = 0.9 : f64, weight_decay = 0.0 : f64} : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f32>) -> (tensor<4xf32>, tensor<3xf32>)
  return
}

// -----

func.func @adam_c1(%w: tensor<4xf32>, %v: tensor<3xf32>, %c: tensor<f32>) {
  // expected-error @+1 {{needs tensors of one type, but has 'tensor<4xf32>' and 'tensor<3xf32>'}}
  %u:3 = nn.adam %w, %w, %w, %v, %c, %c, %c {beta1 = 0.9 : f64, beta2 = 0.99 : f64, epsilon = 1.0e-8 : f64, weight_decay = 0.0 : f64}
      : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<3xf32>, tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @adam_c2_beta1(%w: tensor<4xf32>, %v: tensor<4xf32>, %c: tensor<f32>) {
  // expected-error @+1 {{attribute 'beta1' failed to satisfy constraint: 64-bit float attribute whose value is at least 0 and below 1}}
  %u:3 = nn.adam %w, %w, %w, %v, %c, %c, %c {beta1 = 1.0 : f64, beta2 = 0.99 : f64, epsilon = 1.0e-8 : f64, weight_decay = 0.0 : f64}
      : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @adam_c2_beta2(%w: tensor<4xf32>, %v: tensor<4xf32>, %c: tensor<f32>) {
  // expected-error @+1 {{attribute 'beta2' failed to satisfy constraint: 64-bit float attribute whose value is at least 0 and below 1}}
  %u:3 = nn.adam %w, %w, %w, %v, %c, %c, %c {beta1 = 0.9 : f64, beta2 = -0.5 : f64, epsilon = 1.0e-8 : f64, weight_decay = 0.0 : f64}
      : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @adam_c3(%w: tensor<4xf32>, %v: tensor<4xf32>, %c: tensor<f32>) {
  // expected-error @+1 {{attribute 'epsilon' failed to satisfy constraint: 64-bit float attribute whose value is finite and above 0}}
  %u:3 = nn.adam %w, %w, %w, %v, %c, %c, %c {beta1 = 0.9 : f64, beta2 = 0.99 : f64, epsilon = 0.0 : f64, weight_decay = 0.0 : f64}
      : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @adam_c4(%w: tensor<4xf32>, %v: tensor<4xf32>, %c: tensor<f32>) {
  // expected-error @+1 {{attribute 'weight_decay' failed to satisfy constraint: 64-bit float attribute whose value is finite and at least 0}}
  %u:3 = nn.adam %w, %w, %w, %v, %c, %c, %c {beta1 = 0.9 : f64, beta2 = 0.99 : f64, epsilon = 1.0e-8 : f64, weight_decay = -0.1 : f64}
      : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @adam_c5(%w: tensor<4xf32>, %v: tensor<4xf32>, %c: tensor<f32>) {
  // expected-error @+1 {{has the result types 'tensor<4xf32>', 'tensor<4xf32>', 'tensor<3xf32>', but infers 'tensor<4xf32>', 'tensor<4xf32>', 'tensor<4xf32>'}}
  %u:3 = nn.adam %w, %w, %w, %v, %c, %c, %c {beta1 = 0.9 : f64, beta2 = 0.99 : f64, epsilon = 1.0e-8 : f64, weight_decay = 0.0 : f64}
      : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<3xf32>)
  return
}
