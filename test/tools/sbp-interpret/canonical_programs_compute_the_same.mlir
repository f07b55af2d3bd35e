// RUN: sbp-interpret %s > %t.before
// RUN: sbp-opt %s --canonicalize > %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: sbp-interpret %t.mlir > %t.after
// RUN: diff %t.before %t.after

// Zeros keep their signs, and numbers next to zero and infinity their digits, through every
// fold, and through the ops that look like one and are none.

// CHECK-LABEL: func.func private @folded
//  CHECK-NEXT: %[[X:.*]] = nn.constant
//  CHECK-NEXT: return %[[X]], %[[X]], %[[X]], %[[X]], %[[X]], %[[X]], %[[X]]
func.func private @folded()
    -> (tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) {
  %x = nn.constant dense<[0.0, -0.0, 1.0e-45, -3.4e38, 0x7F800000, 0x7FC00000]> : tensor<6xf32>
  %one = nn.constant dense<1.0> : tensor<f32>
  %zero = nn.constant dense<0.0> : tensor<f32>
  %minus_zero = nn.constant dense<-0.0> : tensor<f32>
  %a = nn.mul %x, %one : (tensor<6xf32>, tensor<f32>) -> tensor<6xf32>
  %b = nn.div %x, %one : (tensor<6xf32>, tensor<f32>) -> tensor<6xf32>
  %c = nn.sub %x, %zero : (tensor<6xf32>, tensor<f32>) -> tensor<6xf32>
  %d = nn.add %x, %minus_zero : (tensor<6xf32>, tensor<f32>) -> tensor<6xf32>
  %n = nn.neg %x : tensor<6xf32>
  %e = nn.neg %n : tensor<6xf32>
  %f = nn.max %x, %x : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
  %w = nn.cast %x : tensor<6xf32> -> tensor<6xf64>
  %g = nn.cast %w : tensor<6xf64> -> tensor<6xf32>
  return %a, %b, %c, %d, %e, %f, %g
      : tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>
}

func.func @f() -> (tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>,
                   tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) {
  %folded:7 = func.call @folded() : ()
      -> (tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>)
  %x = nn.constant dense<[0.0, -0.0, 1.0e-45, -3.4e38, 0x7F800000, 1.2345678]> : tensor<6xf32>
  %zero = nn.constant dense<0.0> : tensor<f32>
  %a = nn.add %x, %zero : (tensor<6xf32>, tensor<f32>) -> tensor<6xf32>
  %b = nn.sub %zero, %x : (tensor<f32>, tensor<6xf32>) -> tensor<6xf32>
  %h = nn.cast %x : tensor<6xf32> -> tensor<6xbf16>
  %c = nn.cast %h : tensor<6xbf16> -> tensor<6xf32>
  return %folded#0, %folded#1, %folded#2, %folded#3, %folded#4, %folded#5, %folded#6, %a, %b, %c
      : tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>,
        tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>
}
