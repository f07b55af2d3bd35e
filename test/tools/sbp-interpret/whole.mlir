// RUN: sbp-interpret %s --entry predict --fill x=0.5 | FileCheck %s
// RUN: sbp-interpret %s --entry predict --fill x=0.5 --json | FileCheck %s --check-prefix=JSON
// RUN: sbp-interpret %s --entry count --times 3 | FileCheck %s --check-prefix=TIMES
// RUN: sbp-interpret %s --entry predict --random-inputs --seed 7 > %t.first
// RUN: sbp-interpret %s --entry predict --random-inputs --seed 7 > %t.again
// RUN: sbp-interpret %s --entry predict --random-inputs --seed 8 > %t.other
// RUN: cmp %t.first %t.again
// RUN: not cmp %t.first %t.other

nn.parameter @w : tensor<2x3xf32> = #nn.constant<2.0>
nn.parameter @n : tensor<i32> = #nn.zeros

// CHECK: y: tensor<4x3xf32> = {{\[}}[2, 2, 2], [2, 2, 2], [2, 2, 2], [2, 2, 2]]
// CHECK: output1: tensor<f32> = -inf
// JSON: {"y":{{\[}}[2.0,2.0,2.0],[2.0,2.0,2.0],[2.0,2.0,2.0],[2.0,2.0,2.0]],"output1":null}
func.func @predict(%x: tensor<4x2xf32> {nn.input = "x"})
    -> (tensor<4x3xf32> {nn.output = "y"}, tensor<f32>) {
  %w = nn.get @w : tensor<2x3xf32>
  %y = nn.einsum "bi,ij->bj" %x, %w
     : (tensor<4x2xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  %zero = nn.constant dense<0.0> : tensor<f32>
  %log = nn.log %zero : tensor<f32>
  return %y, %log : tensor<4x3xf32>, tensor<f32>
}

// TIMES: output0: tensor<i32> = 1
// TIMES: output0: tensor<i32> = 2
// TIMES: output0: tensor<i32> = 3
func.func @count() -> tensor<i32> {
  %n = nn.get @n : tensor<i32>
  %one = nn.constant dense<1> : tensor<i32>
  %next = nn.add %n, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
  nn.set @n, %next : tensor<i32>
  return %next : tensor<i32>
}
