// RUN: sbpc %s -n 4 --load-dialect-plugin %plugins/mamba/mamba.so --emit local | FileCheck %s --check-prefix=LOCAL
// RUN: sed "s/= sbp.pin %%n : .*/= nn.exp %%n : !x/" %s | sbpc - -n 4 --load-dialect-plugin %plugins/mamba/mamba.so --target cuda --emit ptx | FileCheck %s --check-prefix=PTX
// RUN: sbpc check-ops --load-dialect-plugin %plugins/mamba/mamba.so | FileCheck %s --check-prefix=RIGHT

// A rank that has a part of the last dimension has the groups of this part, in the op and in its
// gradient. Numbers are printed shortest. The gradient has two launches on a GPU. Both ops keep what they declare.

// LOCAL: mamba.gated_norm {{.*}} groups 1 {epsilon = 1.0e-6 : f64} : (tensor<8x16xf32>, tensor<8x16xf32>, tensor<16xf32>)
// LOCAL: mamba.gated_norm_grad {{.*}} groups 1 {{[{]}}epsilon = 1.0e-6 : f64, nn.adjoint_of = {{.*}}} : (tensor<8x16xf32>, tensor<8x16xf32>, tensor<16xf32>, tensor<8x16xf32>)

// PTX: .visible .entry gated_norm_{{[0-9]+}}_8x16(
// PTX: .visible .entry gated_norm_grad_[[GRADIENT:[0-9]+]]_8x16(
// PTX: .visible .entry gated_norm_grad_[[GRADIENT]]_8x16_then1(

// RIGHT: mamba.gated_norm {{.*}} right
// RIGHT: mamba.gated_norm_grad {{.*}} right

!x = tensor<8x64xf32>
nn.parameter @scale : tensor<64xf32> = #nn.ones
func.func @loss(%x: !x {nn.input = "x"}, %z: !x {nn.input = "z"}, %y: !x {nn.input = "y"})
    -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.sgd} {
  %scale = nn.get @scale : tensor<64xf32>
  %h = nn.exp %x : !x
  %n = mamba.gated_norm %h, %z, %scale groups 4 {epsilon = 1.0e-6 : f64} : (!x, !x, tensor<64xf32>) -> !x
  %pinned = sbp.pin %n : !x to #sbp.nd<@host, [S(1)]>
  %loss = nn.mse %pinned, %y : (!x, !x) -> tensor<f32>
  return %loss : tensor<f32>
}
