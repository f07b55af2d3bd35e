// RUN: rm -rf %t && mkdir %t && cp %s %t/model.mlir && cd %t
// RUN: sbpc model.mlir -n 1 --emit plan | FileCheck %s
// RUN: sbpc - -n 1 --emit plan < model.mlir | FileCheck %s --check-prefix=INPUT

// Files are named as they were given. Of an op's location one place is kept: the
// callee's of a call, the first of several. A task of several ops has the places
// of all. What a pass makes of an op, as its gradient, has the op's place.

// CHECK: "places": {
// CHECK-NEXT: "files": ["model.mlir", "layers.py"],
// INPUT: "files": ["<stdin>", "layers.py"],

// CHECK-DAG: {{\[\[}}0, [[@LINE+1]], 1]]
nn.parameter @w : tensor<8x8xf32> = #nn.normal<0.3>
func.func private @layer(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // CHECK-DAG: {{\[\[}}0, [[@LINE+1]], 8]]
  %s = nn.softmax %x dim 1 : tensor<4x8xf32>
  return %s : tensor<4x8xf32>
}
func.func @f(%x: tensor<4x8xf32> {nn.input = "x"}) -> (tensor<4x8xf32> {nn.output = "y"}) {
  %w = nn.get @w : tensor<8x8xf32>
  // CHECK-DAG: {{\[\[}}0, [[@LINE+1]], 8]]
  %p = nn.einsum "bi,ij->bj" %x, %w
      : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  // CHECK-DAG: {{\[\[}}0, [[@LINE+1]], 8], [0, [[@LINE+2]], 8]]
  %e = nn.exp %p : tensor<4x8xf32>
  %l = nn.log %e : tensor<4x8xf32>
  // CHECK-DAG: {{\[\[}}0, [[@LINE+1]], 8]]
  %a = func.call @layer(%l) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  // CHECK-DAG: {{\[\[}}1, 7, 3]]
  %b = nn.softmax %a dim 1 : tensor<4x8xf32> loc("named"("layers.py":7:3))
  // CHECK-DAG: {{\[\[}}1, 8, 4]]
  %c = nn.softmax %b dim 0 : tensor<4x8xf32> loc(fused["no file", "layers.py":8:4, "layers.py":9:4])
  // CHECK-DAG: {{\[\[}}1, 10, 5]]
  %d = nn.softmax %c dim 1 : tensor<4x8xf32> loc(callsite("layers.py":10:5 at "layers.py":70:1))
  %y = nn.softmax %d dim 0 : tensor<4x8xf32> loc(unknown)
  return %y : tensor<4x8xf32>
}
func.func @loss(%x: tensor<4x8xf32> {nn.input = "x"}, %y: tensor<4x8xf32> {nn.input = "y"})
    -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<8x8xf32>
  // CHECK-DAG: {{\[\[}}0, [[@LINE+1]], 8]]
  %p = nn.einsum "bi,ij->bj" %x, %w
      : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  // CHECK-DAG: {{\[\[}}0, [[@LINE+1]], 11]]
  %loss = nn.mse %p, %y : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}

// CHECK: "calls": [{"function": "f", "caller": -1}, {"function": "layer", "caller": 0, "origin": 6}]
// CHECK: "origins": [0, 1, 2, 3, 4, 5, -1]
// CHECK: "calls": [{"function": "loss", "caller": -1}]
// CHECK: "origins": [7, 8]
// The einsum and its gradient, the loss and what its gradient takes, the update.
// CHECK: "calls": [{"function": "train_step", "caller": -1}]
// CHECK: "origins": [7, 8, 8, 8, 8, 8, 7, 9]
