// RUN: not sbp-opt %s --load-dialect-plugin %plugins/mamba/mamba.so --split-input-file 2>&1 | FileCheck %s

// The constraints of mamba.gated_norm, with the facts that disagree.

// CHECK: error: {{.*}}normalises a tensor of rank 0
func.func @c1(%x: tensor<f32>, %s: tensor<4xf32>) {
  %y = mamba.gated_norm %x, %x, %s groups 1 : (tensor<f32>, tensor<f32>, tensor<4xf32>) -> tensor<f32>
  return
}

// -----

// CHECK: error: {{.*}}input is 'tensor<2x4xf32>', but gate is 'tensor<4xf32>'
func.func @c1(%x: tensor<2x4xf32>, %s: tensor<4xf32>) {
  %y = mamba.gated_norm %x, %s, %s groups 1 : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return
}

// -----

// CHECK: error: {{.*}}scale is 'tensor<2xf32>', but the last dimension needs 'tensor<4xf32>'
func.func @c2(%x: tensor<2x4xf32>, %s: tensor<2xf32>) {
  %y = mamba.gated_norm %x, %x, %s groups 1 : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2xf32>) -> tensor<2x4xf32>
  return
}

// -----

// CHECK: error: {{.*}}last dimension has extent 4, which is no multiple of 3 groups
func.func @c3(%x: tensor<2x4xf32>, %s: tensor<4xf32>) {
  %y = mamba.gated_norm %x, %x, %s groups 3 : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return
}

// -----

// CHECK: error: {{.*}}epsilon is -1.0{{.*}}, but must be finite and at least 0
func.func @c4(%x: tensor<2x4xf32>, %s: tensor<4xf32>) {
  %y = mamba.gated_norm %x, %x, %s groups 2 {epsilon = -1.0} : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return
}

// -----

// CHECK: error: {{.*}}tensor<2x4xf32>
func.func @c5(%x: tensor<2x4xf32>, %s: tensor<4xf32>) {
  %y = mamba.gated_norm %x, %x, %s groups 2 : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<4xf32>) -> tensor<8xf32>
  return
}
