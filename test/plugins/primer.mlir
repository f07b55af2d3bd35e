// RUN: sbpc %s -n 2 --load-dialect-plugin=%plugins/primer/primer.so --emit differentiated | FileCheck %s --check-prefix=GRADIENT
// RUN: sbpc %s -n 2 --load-dialect-plugin=%plugins/primer/primer.so --emit local | FileCheck %s --check-prefix=LOCAL
// RUN: sbpc %s -n 1 --load-dialect-plugin=%plugins/primer/primer.so --emit plan | FileCheck %s --check-prefix=PLAN
// RUN: sbpc %s -n 1 --load-dialect-plugin=%plugins/primer/primer.so --emit llvm | FileCheck %s --check-prefix=LLVM
// RUN: sbpc %s -n 1 --load-dialect-plugin=%plugins/primer/primer.so --target cuda --emit ptx | FileCheck %s --check-prefix=PTX
// RUN: sbp-opt %s --load-dialect-plugin=%plugins/primer/primer.so --canonicalize | FileCheck %s --check-prefix=TEXT

// An op of a plug-in's dialect is compiled like any other: it is differentiated and
// placed, and has a kernel for each target.

// TEXT: primer.squared_relu %{{.*}} : tensor<8x4xf32>

// GRADIENT: func.func {{.*}}@train_step
// GRADIENT: %[[H:.*]] = nn.einsum "bi,ij->bj"
// GRADIENT: primer.squared_relu %[[H]]
// GRADIENT: %[[R:.*]] = nn.relu %[[H]]
// GRADIENT: %[[SLOPE:.*]] = nn.add %[[R]], %[[R]]
// GRADIENT: nn.mul %{{.*}}, %[[SLOPE]]

// LOCAL: primer.squared_relu %{{.*}} : tensor<{{4x4|8x2}}xf32>

// PLAN: "name": "squared_relu_

// LLVM: define {{.*}}@squared_relu_

// PTX: .visible .entry squared_relu_

!x = tensor<8x4xf32>
nn.parameter @w : tensor<4x4xf32> = #nn.normal<0.5>
func.func @loss(%x: !x {nn.input = "x"}, %y: !x {nn.input = "y"})
    -> (tensor<f32> {nn.output = "loss"})
    attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<4x4xf32>
  %h = nn.einsum "bi,ij->bj" %x, %w : (!x, tensor<4x4xf32>) -> !x
  %a = primer.squared_relu %h : !x
  %loss = nn.mse %a, %y : (!x, !x) -> tensor<f32>
  return %loss : tensor<f32>
}
