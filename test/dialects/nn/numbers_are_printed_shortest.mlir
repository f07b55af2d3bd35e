// Numbers among the attributes of an op are printed with the fewest digits that read back to the
// same double. Attributes with their default value are left out.

// RUN: sbp-opt %s > %t.text
// RUN: FileCheck %s < %t.text
// RUN: sbp-opt %t.text | diff %t.text -
// RUN: sbp-opt %s --mlir-print-op-generic > %t.generic
// RUN: sbp-opt %t.text --mlir-print-op-generic | diff %t.generic -

!row = tensor<4xf32>
!number = tensor<f32>
!heads = tensor<2x3x4xf32>
!image = tensor<2x4x3xf32>

func.func @optimisers(%w: !row, %g: !row, %m: !row, %v: !row, %c: !number, %lr: !number) {
  // CHECK: nn.sgd {{.*}} {weight_decay = 0.1 : f64} :
  %sgd = nn.sgd %w, %g, %lr {weight_decay = 0.1 : f64} : (!row, !row, !number) -> !row
  // CHECK: nn.sgd {{.*}} {weight_decay = 0.0 : f64} :
  %plain = nn.sgd %w, %g, %lr {weight_decay = 0.0} : (!row, !row, !number) -> !row
  // CHECK: nn.momentum {{.*}} {momentum = 0.95 : f64, weight_decay = 5.0e-4 : f64} :
  %momentum:2 = nn.momentum %w, %g, %v, %lr {momentum = 0.95 : f64, weight_decay = 0.0005 : f64}
      : (!row, !row, !row, !number) -> (!row, !row)
  // CHECK: nn.adam %{{[^{]*}} {beta1 = 0.9 : f64, beta2 = 0.999 : f64, epsilon = 1.0e-8 : f64, weight_decay = 0.0 : f64} :
  %adam:3 = nn.adam %w, %g, %m, %v, %c, %c, %lr
      {beta1 = 0.9 : f64, beta2 = 0.99899999999999999 : f64, epsilon = 1.0e-8 : f64, weight_decay = 0.0 : f64}
      : (!row, !row, !row, !row, !number, !number, !number) -> (!row, !row, !row)
  // CHECK: nn.adam decoupled {{.*}} {beta1 = 0.0 : f64, beta2 = 0.30000000000000004 : f64, epsilon = 1.0e-12 : f64, other.number = 0.7 : f64, weight_decay = 0.01 : f64} :
  %adamw:3 = nn.adam decoupled %w, %g, %m, %v, %c, %c, %lr
      {beta1 = 0.0 : f64, beta2 = 0.30000000000000004 : f64, epsilon = 1.0e-12 : f64, weight_decay = 0.01 : f64,
       other.number = 0.7}
      : (!row, !row, !row, !row, !number, !number, !number) -> (!row, !row, !row)
  return
}

func.func @norms(%x: !row, %scale: !row, %image: !image) {
  // CHECK: nn.layer_norm %{{[^{]*}} : (
  %default = nn.layer_norm %x, %scale, %scale {epsilon = 0.00001 : f64} : (!row, !row, !row) -> !row
  // CHECK: nn.layer_norm {{.*}} {epsilon = 1.0e-12 : f64} :
  %layer = nn.layer_norm %x, %scale, %scale {epsilon = 1.0e-12 : f64} : (!row, !row, !row) -> !row
  // CHECK: nn.layer_norm_grad {{.*}} {epsilon = 1.0e-6 : f64} :
  %d:3 = nn.layer_norm_grad %x, %scale, %x {epsilon = 1.0e-6 : f64} : (!row, !row, !row) -> (!row, !row, !row)
  // CHECK: nn.rms_norm {{.*}} {epsilon = 1.0e-6 : f64} :
  %rms = nn.rms_norm %x, %scale {epsilon = 1.0e-6 : f64} : (!row, !row) -> !row
  // CHECK: nn.rms_norm_grad {{.*}} {epsilon = 0.001 : f64} :
  %e:2 = nn.rms_norm_grad %x, %scale, %x {epsilon = 1.0e-3 : f64} : (!row, !row, !row) -> (!row, !row)
  // CHECK: nn.batch_norm {{.*}} {epsilon = 0.001 : f64} :
  %batch = nn.batch_norm %image, %x, %x, %x, %x {epsilon = 0.001 : f64}
      : (!image, !row, !row, !row, !row) -> !image
  // CHECK: nn.batch_norm_grad {{.*}} {count = 7 : i64, epsilon = 0.001 : f64} :
  %b = nn.batch_norm_grad %image, %x, %x, %x, %image, %x, %x {count = 7 : i64, epsilon = 0.001 : f64}
      : (!image, !row, !row, !row, !image, !row, !row) -> !image
  return
}

func.func @attention(%q: !heads) {
  // CHECK: nn.attention causal {{.*}} {scale = 0.17677669529663687 : f64} :
  %causal = nn.attention causal %q, %q, %q {scale = 0.17677669529663687 : f64} : (!heads, !heads, !heads) -> !heads
  // CHECK: nn.attention %{{.*}} {scale = -0.0 : f64} :
  %none = nn.attention %q, %q, %q {scale = -0.0} : (!heads, !heads, !heads) -> !heads
  // CHECK: nn.attention_grad %{{.*}} {scale = 0.7 : f64} :
  %d:3 = nn.attention_grad %q, %q, %q, %q {scale = 0.7 : f64}
      : (!heads, !heads, !heads, !heads) -> (!heads, !heads, !heads)
  return
}
