// A layer that computes in bf16, with parameters and their gradients in f32. Sums over the
// ranks inside of the layer are in bf16.
//
// RUN: sbpc %s --target cuda --emit ptx | FileCheck %s --check-prefix=PTX
// RUN: sbpc %s --target cuda --emit plan | FileCheck %s --check-prefix=PLAN
// RUN: not sbpc %s -o %t 2>&1 | FileCheck %s --check-prefix=CPU
// RUN: not ls %t

// PTX: .entry cast_{{[0-9]+}}_32x32
// PTX: cvt.rn.bf16x2.f32
// PTX: .entry einsum_{{[0-9]+}}_16x32
// PTX: .entry adam_{{[0-9]+}}_32x32

// PLAN: "op": "nn.cast"
// PLAN-NEXT: "operands": [{"type": "f32", "shape": [32, 32]}]
// PLAN-NEXT: "results": [{"type": "bf16", "shape": [32, 32]}]
// PLAN: "collective": "reduce_scatter"
// PLAN: "type": "bf16"
// PLAN: "gradients": [{{$}}
// PLAN-NEXT: {
// PLAN-NEXT: "type": "f32"
// PLAN: "squares": {"function": "sum_of_squares_0", "blocks": 1, "threads": 256, "shared_bytes": 2048}

// CPU: [[# @LINE + 11]]:{{.*}}error: 'nn.cast' op has no CPU kernel for 'bf16' elements; kernels for CPUs take f32
// CPU-NOT: error

sbp.machine @node [#sbp.level<"gpu" x 2, alpha = 5.0e-6, beta = 5.0e-12>]
    device #sbp.device<kind = gpu, memory = 80GB, bandwidth = 1.0e12, rates = [#sbp.rate<f32, 1.0e13>]>

nn.parameter @w : tensor<64x32xf32> = #nn.normal<0.1> {sbp.pin = #sbp.nd<@node, [S(0)]>}

func.func @loss(%x: tensor<16x64xbf16> {nn.input = "x"}, %t: tensor<16x32xbf16> {nn.input = "t"})
    -> (tensor<bf16> {nn.output = "loss"}) attributes {nn.optimizer = #nn.adam} {
  %w = nn.get @w : tensor<64x32xf32>
  %narrow = nn.cast %w : tensor<64x32xf32> -> tensor<64x32xbf16>
  %terms = nn.einsum "bi,ij->bj" %x, %narrow
      : (tensor<16x64xbf16>, tensor<64x32xbf16>) -> tensor<16x32xbf16>
  %y = nn.relu %terms : tensor<16x32xbf16>
  %loss = nn.mse %y, %t : (tensor<16x32xbf16>, tensor<16x32xbf16>) -> tensor<bf16>
  return %loss : tensor<bf16>
}
