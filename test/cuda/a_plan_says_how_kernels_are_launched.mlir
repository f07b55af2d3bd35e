// RUN: sbpc %s --target cuda --emit plan | FileCheck %s
// RUN: sbpc %s --emit plan | FileCheck %s --check-prefix=CPU

// A kernel is launched once, or several times in sequence, with a number of blocks and a
// number of threads per block. A block has shared memory, and the kernel may have scratch
// memory, the last buffer of its tasks. The arguments of a launch are the addresses of them.

// CHECK: "name": "einsum_0_33x20",
// CHECK: "launches": [{"function": "einsum_0_33x20", "blocks": 1, "threads": 256, "shared_bytes": 17408}]
// CHECK: "name": "layer_norm_grad_
// CHECK: "scratch_bytes": {{[0-9]+}},
// CHECK: "function": "layer_norm_grad_{{[^"]*}}", "blocks"
// CHECK: "function": "layer_norm_grad_{{[^"]*}}_then1", "blocks"
// CHECK: "function": "layer_norm_grad_{{[^"]*}}_then2", "blocks"

// On a CPU a kernel is a function.
// CPU: "name": "einsum_0_33x20"
// CPU-NOT: "launches"

nn.parameter @w : tensor<17x20xf32> = #nn.zeros
nn.parameter @gain : tensor<20xf32> = #nn.ones
nn.parameter @shift : tensor<20xf32> = #nn.zeros
func.func @loss(%x: tensor<33x17xf32> {nn.input = "x"}) -> (tensor<f32> {nn.output = "loss"})
    attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<17x20xf32>
  %gain = nn.get @gain : tensor<20xf32>
  %shift = nn.get @shift : tensor<20xf32>
  %y = nn.einsum "bi,ij->bj" %x, %w : (tensor<33x17xf32>, tensor<17x20xf32>) -> tensor<33x20xf32>
  %n = nn.layer_norm %y, %gain, %shift
      : (tensor<33x20xf32>, tensor<20xf32>, tensor<20xf32>) -> tensor<33x20xf32>
  %s = nn.mul %n, %n : (tensor<33x20xf32>, tensor<33x20xf32>) -> tensor<33x20xf32>
  %loss = nn.reduce mean %s over [0, 1] : tensor<33x20xf32> -> tensor<f32>
  return %loss : tensor<f32>
}
