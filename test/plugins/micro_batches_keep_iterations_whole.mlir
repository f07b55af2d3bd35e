// RUN: sbp-opt %s --load-dialect-plugin=%plugins/mamba/mamba.so --split-input-file --verify-diagnostics --sbp-differentiate=micro-batches=4 | FileCheck %s

// A loop of an op may have several elements in an iteration. Micro-batches go through the
// samples of a batch in strides, so they may cut the loop only where an iteration has
// elements of one sample.

nn.parameter @w : tensor<8xf32> = #nn.ones
func.func @groups_of_two_samples(%x: tensor<8x3xf32> {nn.input = "x"})
    -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<8xf32>
  %h = nn.transpose %x [1, 0] : tensor<8x3xf32> -> tensor<3x8xf32>
  // expected-error @below {{'mamba.gated_norm' op cannot be computed in 4 micro-batches: it does not keep samples apart: its loop over 8 samples has 4 iterations}}
  %y = mamba.gated_norm %h, %h, %w groups 4
      : (tensor<3x8xf32>, tensor<3x8xf32>, tensor<8xf32>) -> tensor<3x8xf32>
  %l = nn.reduce mean %y over [0, 1] : tensor<3x8xf32> -> tensor<f32>
  return %l : tensor<f32>
}

// -----

// CHECK-LABEL: @groups_within_samples
// CHECK: mamba.gated_norm {{.*}} groups 4 {{.*}} -> tensor<12xf32>
nn.parameter @w : tensor<48xf32> = #nn.ones
func.func @groups_within_samples(%x: tensor<8x6xf32> {nn.input = "x"})
    -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<48xf32>
  %h = nn.reshape %x : tensor<8x6xf32> -> tensor<48xf32>
  %y = mamba.gated_norm %h, %h, %w groups 16
      : (tensor<48xf32>, tensor<48xf32>, tensor<48xf32>) -> tensor<48xf32>
  %l = nn.reduce mean %y over [0] : tensor<48xf32> -> tensor<f32>
  return %l : tensor<f32>
}
