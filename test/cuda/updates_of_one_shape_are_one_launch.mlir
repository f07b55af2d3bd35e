// Biases @b and @d have the same shape, so one launch updates both. Their gradients are the
// two sums, and the learning rate is the same.
//
// RUN: sbpc %s --target cuda --emit plan | FileCheck %s
// RUN: sbpc %s --target cpu --emit plan | FileCheck %s --check-prefix=CPU

// CHECK: "name": "sgd_{{[0-9]+}}_32_for2",
// CHECK-NEXT: "op": "nn.sgd",
// CHECK-NEXT: "operands": [
// CHECK-NEXT: {"type": "f32", "shape": [32]},
// CHECK-NEXT: {"type": "f32", "shape": [32]},
// CHECK-NEXT: {"type": "f32", "shape": []},
// CHECK-NEXT: {"type": "f32", "shape": [32]},
// CHECK-NEXT: {"type": "f32", "shape": [32]},
// CHECK-NEXT: {"type": "f32", "shape": []}
// CHECK-NEXT: ],
// CHECK-NEXT: "results": [{"type": "f32", "shape": [32]}, {"type": "f32", "shape": [32]}],
// CHECK: "blocks": 2

// CPU-NOT: _for2

sbp.machine @node [#sbp.level<"gpu" x 2, alpha = 5.0e-6, beta = 5.0e-12>]
    device #sbp.device<kind = gpu, memory = 80GB, bandwidth = 1.0e12, rates = [#sbp.rate<f32, 1.0e13>]>

nn.parameter @a : tensor<64x32xf32> = #nn.normal<0.1>
nn.parameter @b : tensor<32xf32> = #nn.zeros
nn.parameter @c : tensor<32x32xf32> = #nn.normal<0.1>
nn.parameter @d : tensor<32xf32> = #nn.zeros

func.func @loss(%x: tensor<16x64xf32> {nn.input = "x"}, %t: tensor<16x32xf32> {nn.input = "t"})
    -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.sgd} {
  %a = nn.get @a : tensor<64x32xf32>
  %b = nn.get @b : tensor<32xf32>
  %c = nn.get @c : tensor<32x32xf32>
  %d = nn.get @d : tensor<32xf32>
  %1 = nn.einsum "bi,ij->bj" %x, %a : (tensor<16x64xf32>, tensor<64x32xf32>) -> tensor<16x32xf32>
  %2 = nn.add %1, %b : (tensor<16x32xf32>, tensor<32xf32>) -> tensor<16x32xf32>
  %3 = nn.relu %2 : tensor<16x32xf32>
  %4 = nn.einsum "bi,ij->bj" %3, %c : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
  %5 = nn.add %4, %d : (tensor<16x32xf32>, tensor<32xf32>) -> tensor<16x32xf32>
  %loss = nn.mse %5, %t : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}
