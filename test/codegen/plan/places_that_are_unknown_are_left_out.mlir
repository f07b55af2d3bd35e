// RUN: sbpc %s -n 1 --emit plan | FileCheck %s --implicit-check-not='"places"' --implicit-check-not=origin

// CHECK: "model": "places_that_are_unknown_are_left_out"
// CHECK: "op": "nn.softmax"

func.func @f(%x: tensor<4x8xf32> {nn.input = "x"}) -> (tensor<4x8xf32> {nn.output = "y"}) {
  %y = nn.softmax %x dim 0 : tensor<4x8xf32> loc(unknown)
  return %y : tensor<4x8xf32>
}
