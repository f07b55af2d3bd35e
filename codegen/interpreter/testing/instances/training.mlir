// Instances of gradients and optimiser steps, one op each.
// Float arguments are random of both signs, or positive where the function says
// `test.positive`; integers are below 5, or below `test.below`.

func.func @gelu_grad(%a: tensor<5x3xf32>, %b: tensor<5x3xf32>)
    -> tensor<5x3xf32> {
  %r = nn.gelu_grad %a, %b
    : (tensor<5x3xf32>, tensor<5x3xf32>) -> tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}

func.func @gelu_grad_tanh(%a: tensor<5x3xf32>, %b: tensor<5x3xf32>)
    -> tensor<5x3xf32> {
  %r = nn.gelu_grad tanh %a, %b
    : (tensor<5x3xf32>, tensor<5x3xf32>) -> tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}

func.func @silu_grad(%a: tensor<5x3xf32>, %b: tensor<5x3xf32>)
    -> tensor<5x3xf32> {
  %r = nn.silu_grad %a, %b
    : (tensor<5x3xf32>, tensor<5x3xf32>) -> tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}

func.func @softmax_grad(%a: tensor<5x4xf32>, %b: tensor<5x4xf32>)
    -> tensor<5x4xf32> {
  %r = nn.softmax_grad %a, %b dim 0
    : (tensor<5x4xf32>, tensor<5x4xf32>) -> tensor<5x4xf32>
  return %r : tensor<5x4xf32>
}

func.func @softmax_grad_middle(%a: tensor<2x3x4xf32>, %b: tensor<2x3x4xf32>)
    -> tensor<2x3x4xf32> {
  %r = nn.softmax_grad %a, %b dim 1
    : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %r : tensor<2x3x4xf32>
}

func.func @log_softmax_grad(%a: tensor<5x4xf32>, %b: tensor<5x4xf32>)
    -> tensor<5x4xf32> {
  %r = nn.log_softmax_grad %a, %b dim 0
    : (tensor<5x4xf32>, tensor<5x4xf32>) -> tensor<5x4xf32>
  return %r : tensor<5x4xf32>
}

func.func @log_softmax_grad_middle(%a: tensor<2x3x4xf32>, %b: tensor<2x3x4xf32>)
    -> tensor<2x3x4xf32> {
  %r = nn.log_softmax_grad %a, %b dim 1
    : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %r : tensor<2x3x4xf32>
}

func.func @layer_norm_grad(%a: tensor<5x2x4xf32>, %b: tensor<4xf32>,
    %c: tensor<5x2x4xf32>)
    -> (tensor<5x2x4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %r:3 = nn.layer_norm_grad %a, %b, %c {epsilon = 0.5 : f64}
    : (tensor<5x2x4xf32>, tensor<4xf32>, tensor<5x2x4xf32>)
    -> (tensor<5x2x4xf32>, tensor<4xf32>, tensor<4xf32>)
  return %r#0, %r#1, %r#2 : tensor<5x2x4xf32>, tensor<4xf32>, tensor<4xf32>
}

func.func @layer_norm_grad_vector(%a: tensor<4xf32>, %b: tensor<4xf32>,
    %c: tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %r:3 = nn.layer_norm_grad %a, %b, %c {epsilon = 0.5 : f64}
    : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  return %r#0, %r#1, %r#2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

func.func @rms_norm_grad(%a: tensor<5x3xf32>, %b: tensor<3xf32>,
    %c: tensor<5x3xf32>)
    -> (tensor<5x3xf32>, tensor<3xf32>) {
  %r:2 = nn.rms_norm_grad %a, %b, %c {epsilon = 0.5 : f64}
    : (tensor<5x3xf32>, tensor<3xf32>, tensor<5x3xf32>)
    -> (tensor<5x3xf32>, tensor<3xf32>)
  return %r#0, %r#1 : tensor<5x3xf32>, tensor<3xf32>
}

func.func @rms_norm_grad_square(%a: tensor<3x3xf32>, %b: tensor<3xf32>,
    %c: tensor<3x3xf32>)
    -> (tensor<3x3xf32>, tensor<3xf32>) {
  %r:2 = nn.rms_norm_grad %a, %b, %c {epsilon = 0.5 : f64}
    : (tensor<3x3xf32>, tensor<3xf32>, tensor<3x3xf32>)
    -> (tensor<3x3xf32>, tensor<3xf32>)
  return %r#0, %r#1 : tensor<3x3xf32>, tensor<3xf32>
}

func.func @embedding_grad(%a: tensor<5x2xi64>, %b: tensor<5x2x3xf32>)
    -> tensor<7x3xf32> attributes {test.below = 9 : i64} {
  %r = nn.embedding_grad %a, %b
    : (tensor<5x2xi64>, tensor<5x2x3xf32>) -> tensor<7x3xf32>
  return %r : tensor<7x3xf32>
}

func.func @embedding_grad_one(%a: tensor<i32>, %b: tensor<5xf32>)
    -> tensor<4x5xf32> {
  %r = nn.embedding_grad %a, %b
    : (tensor<i32>, tensor<5xf32>) -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

func.func @embedding_grad_from(%a: tensor<4xi32>, %b: tensor<4x3xf32>,
    %c: tensor<i64>)
    -> tensor<5x3xf32> attributes {test.below = 7 : i64} {
  %r = nn.embedding_grad %a, %b from %c
    : (tensor<4xi32>, tensor<4x3xf32>, tensor<i64>) -> tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}

func.func @cross_entropy_grad(%a: tensor<3x5x5xf32>, %b: tensor<3x5xi32>,
    %c: tensor<f32>)
    -> tensor<3x5x5xf32> {
  %r = nn.cross_entropy_grad %a, %b, %c
    : (tensor<3x5x5xf32>, tensor<3x5xi32>, tensor<f32>) -> tensor<3x5x5xf32>
  return %r : tensor<3x5x5xf32>
}

func.func @cross_entropy_grad_one(%a: tensor<6xf32>, %b: tensor<i32>,
    %c: tensor<f32>)
    -> tensor<6xf32> {
  %r = nn.cross_entropy_grad %a, %b, %c
    : (tensor<6xf32>, tensor<i32>, tensor<f32>) -> tensor<6xf32>
  return %r : tensor<6xf32>
}

func.func @attention_grad(%a: tensor<2x3x2x3xf32>, %b: tensor<2x3x4x3xf32>,
    %c: tensor<2x3x4x5xf32>, %d: tensor<2x3x2x5xf32>)
    -> (tensor<2x3x2x3xf32>, tensor<2x3x4x3xf32>, tensor<2x3x4x5xf32>) {
  %r:3 = nn.attention_grad %a, %b, %c, %d {scale = 0.5 : f64}
    : (tensor<2x3x2x3xf32>, tensor<2x3x4x3xf32>, tensor<2x3x4x5xf32>,
    tensor<2x3x2x5xf32>)
    -> (tensor<2x3x2x3xf32>, tensor<2x3x4x3xf32>, tensor<2x3x4x5xf32>)
  return %r#0, %r#1, %r#2 : tensor<2x3x2x3xf32>, tensor<2x3x4x3xf32>,
    tensor<2x3x4x5xf32>
}

func.func @attention_grad_causal(%a: tensor<5x3x2xf32>, %b: tensor<5x3x2xf32>,
    %c: tensor<5x3x2xf32>, %d: tensor<5x3x2xf32>)
    -> (tensor<5x3x2xf32>, tensor<5x3x2xf32>, tensor<5x3x2xf32>) {
  %r:3 = nn.attention_grad causal %a, %b, %c, %d {scale = 0.5 : f64}
    : (tensor<5x3x2xf32>, tensor<5x3x2xf32>, tensor<5x3x2xf32>,
    tensor<5x3x2xf32>)
    -> (tensor<5x3x2xf32>, tensor<5x3x2xf32>, tensor<5x3x2xf32>)
  return %r#0, %r#1, %r#2 : tensor<5x3x2xf32>, tensor<5x3x2xf32>,
    tensor<5x3x2xf32>
}

func.func @sgd(%a: tensor<5x3xf32>, %b: tensor<5x3xf32>, %c: tensor<f32>)
    -> tensor<5x3xf32> {
  %r = nn.sgd %a, %b, %c {weight_decay = 0.25 : f64}
    : (tensor<5x3xf32>, tensor<5x3xf32>, tensor<f32>)
    -> tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}

func.func @momentum(%a: tensor<5x3xf32>, %b: tensor<5x3xf32>,
    %c: tensor<5x3xf32>, %d: tensor<f32>)
    -> (tensor<5x3xf32>, tensor<5x3xf32>) {
  %r:2 = nn.momentum %a, %b, %c, %d {momentum = 0.5 : f64,
    weight_decay = 0.25 : f64}
    : (tensor<5x3xf32>, tensor<5x3xf32>, tensor<5x3xf32>, tensor<f32>)
    -> (tensor<5x3xf32>, tensor<5x3xf32>)
  return %r#0, %r#1 : tensor<5x3xf32>, tensor<5x3xf32>
}

func.func @adam(%a: tensor<5x3xf32>, %b: tensor<5x3xf32>, %c: tensor<5x3xf32>,
    %d: tensor<5x3xf32>, %e: tensor<f32>, %f: tensor<f32>, %g: tensor<f32>)
    -> (tensor<5x3xf32>, tensor<5x3xf32>, tensor<5x3xf32>)
    attributes {test.positive} {
  %r:3 = nn.adam %a, %b, %c, %d, %e, %f, %g {beta1 = 0.5 : f64,
    beta2 = 0.75 : f64, epsilon = 0.125 : f64, weight_decay = 0.25 : f64}
    : (tensor<5x3xf32>, tensor<5x3xf32>, tensor<5x3xf32>, tensor<5x3xf32>,
    tensor<f32>, tensor<f32>, tensor<f32>)
    -> (tensor<5x3xf32>, tensor<5x3xf32>, tensor<5x3xf32>)
  return %r#0, %r#1, %r#2 : tensor<5x3xf32>, tensor<5x3xf32>, tensor<5x3xf32>
}

func.func @adam_decoupled(%a: tensor<5x3xf32>, %b: tensor<5x3xf32>,
    %c: tensor<5x3xf32>, %d: tensor<5x3xf32>, %e: tensor<f32>, %f: tensor<f32>,
    %g: tensor<f32>)
    -> (tensor<5x3xf32>, tensor<5x3xf32>, tensor<5x3xf32>)
    attributes {test.positive} {
  %r:3 = nn.adam decoupled %a, %b, %c, %d, %e, %f, %g {beta1 = 0.5 : f64,
    beta2 = 0.75 : f64, epsilon = 0.125 : f64, weight_decay = 0.25 : f64}
    : (tensor<5x3xf32>, tensor<5x3xf32>, tensor<5x3xf32>, tensor<5x3xf32>,
    tensor<f32>, tensor<f32>, tensor<f32>)
    -> (tensor<5x3xf32>, tensor<5x3xf32>, tensor<5x3xf32>)
  return %r#0, %r#1, %r#2 : tensor<5x3xf32>, tensor<5x3xf32>, tensor<5x3xf32>
}

func.func @batch_norm_sums(%a: tensor<5x3x2x2xf32>, %b: tensor<3xf32>, %c: tensor<5x3x2x2xf32>)
    -> (tensor<3xf32>, tensor<3xf32>) {
  %r:2 = nn.batch_norm_sums %a, %b, %c
    : (tensor<5x3x2x2xf32>, tensor<3xf32>, tensor<5x3x2x2xf32>) -> (tensor<3xf32>, tensor<3xf32>)
  return %r#0, %r#1 : tensor<3xf32>, tensor<3xf32>
}

func.func @batch_norm_grad(%a: tensor<5x3x2x2xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>, %d: tensor<3xf32>,
    %e: tensor<5x3x2x2xf32>, %f: tensor<3xf32>, %g: tensor<3xf32>)
    -> tensor<5x3x2x2xf32> attributes {test.positive} {
  %r = nn.batch_norm_grad %a, %b, %c, %d, %e, %f, %g {epsilon = 0.5 : f64}
    : (tensor<5x3x2x2xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>,
    tensor<5x3x2x2xf32>, tensor<3xf32>, tensor<3xf32>)
    -> tensor<5x3x2x2xf32>
  return %r : tensor<5x3x2x2xf32>
}
