// RUN: sbp-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @times_one
//  CHECK-SAME: (%[[X:.*]]: tensor<4xf32>, %[[N:.*]]: tensor<4xi32>)
//  CHECK-NEXT: return %[[X]], %[[X]], %[[X]], %[[N]], %[[N]]
func.func @times_one(%x: tensor<4xf32>, %n: tensor<4xi32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi32>, tensor<4xi32>) {
  %one = nn.constant dense<1.0> : tensor<f32>
  %i = nn.constant dense<1> : tensor<4xi32>
  %a = nn.mul %x, %one : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %b = nn.mul %one, %x : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %c = nn.div %x, %one : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %d = nn.mul %n, %i : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %e = nn.div %n, %i : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %a, %b, %c, %d, %e
      : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi32>, tensor<4xi32>
}

// The product is larger than the factor; the quotient is another number; the literal
// has another element; the value of a parameter is not known.

// CHECK-LABEL: func.func @not_times_one
// CHECK-COUNT-2: nn.mul
//       CHECK: nn.div
//       CHECK: nn.mul
func.func @not_times_one(%x: tensor<4xf32>, %p: tensor<f32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %ones = nn.constant dense<1.0> : tensor<4xf32>
  %one = nn.constant dense<1.0> : tensor<f32>
  %but_one = nn.constant dense<[1.0, 1.0, 1.0, 2.0]> : tensor<4xf32>
  %a = nn.mul %p, %ones : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %b = nn.mul %x, %but_one : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %c = nn.div %one, %x : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %d = nn.mul %x, %p : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %a, %b, %c, %d : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @neutral_terms
//  CHECK-SAME: (%[[X:.*]]: tensor<4xbf16>, %[[N:.*]]: tensor<4xi64>)
//  CHECK-NEXT: return %[[X]], %[[X]], %[[X]], %[[N]], %[[N]]
func.func @neutral_terms(%x: tensor<4xbf16>, %n: tensor<4xi64>)
    -> (tensor<4xbf16>, tensor<4xbf16>, tensor<4xbf16>, tensor<4xi64>, tensor<4xi64>) {
  %minus_zero = nn.constant dense<-0.0> : tensor<bf16>
  %zero = nn.constant dense<0.0> : tensor<bf16>
  %nothing = nn.constant dense<0> : tensor<i64>
  %a = nn.add %x, %minus_zero : (tensor<4xbf16>, tensor<bf16>) -> tensor<4xbf16>
  %b = nn.add %minus_zero, %x : (tensor<bf16>, tensor<4xbf16>) -> tensor<4xbf16>
  %c = nn.sub %x, %zero : (tensor<4xbf16>, tensor<bf16>) -> tensor<4xbf16>
  %d = nn.add %n, %nothing : (tensor<4xi64>, tensor<i64>) -> tensor<4xi64>
  %e = nn.sub %n, %nothing : (tensor<4xi64>, tensor<i64>) -> tensor<4xi64>
  return %a, %b, %c, %d, %e
      : tensor<4xbf16>, tensor<4xbf16>, tensor<4xbf16>, tensor<4xi64>, tensor<4xi64>
}

// -0 + 0 and -0 - -0 are 0; 0 - x of 0 is 0, where -x is -0.

// CHECK-LABEL: func.func @zeros_have_signs
//       CHECK: nn.add
//       CHECK: nn.sub
//       CHECK: nn.sub
func.func @zeros_have_signs(%x: tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %zero = nn.constant dense<0.0> : tensor<f32>
  %minus_zero = nn.constant dense<-0.0> : tensor<f32>
  %a = nn.add %x, %zero : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %b = nn.sub %x, %minus_zero : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %c = nn.sub %zero, %x : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  return %a, %b, %c : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @twice_is_once
//  CHECK-SAME: (%[[X:.*]]: tensor<4xf32>)
//  CHECK-NEXT: %[[RELU:.*]] = nn.relu %[[X]]
//  CHECK-NEXT: return %[[X]], %[[RELU]], %[[X]], %[[X]]
func.func @twice_is_once(%x: tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %n = nn.neg %x : tensor<4xf32>
  %a = nn.neg %n : tensor<4xf32>
  %r = nn.relu %x : tensor<4xf32>
  %b = nn.relu %r : tensor<4xf32>
  %c = nn.max %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %d = nn.min %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %a, %b, %c, %d : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @twice_is_not_once
//       CHECK: nn.relu
//       CHECK: nn.neg
//       CHECK: nn.silu
//       CHECK: nn.silu
//       CHECK: nn.sub
//       CHECK: nn.div
func.func @twice_is_not_once(%x: tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %r = nn.relu %x : tensor<4xf32>
  %a = nn.neg %r : tensor<4xf32>
  %s = nn.silu %x : tensor<4xf32>
  %b = nn.silu %s : tensor<4xf32>
  // NaN and infinities.
  %c = nn.sub %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %d = nn.div %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %a, %b, %c, %d : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @choices_that_are_made
//  CHECK-SAME: (%[[M:.*]]: tensor<4xi1>, %[[X:.*]]: tensor<4xf32>, %[[Y:.*]]: tensor<4xf32>)
//  CHECK-NEXT: return %[[X]], %[[X]], %[[Y]]
func.func @choices_that_are_made(%m: tensor<4xi1>, %x: tensor<4xf32>, %y: tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %true = nn.constant dense<true> : tensor<i1>
  %false = nn.constant dense<false> : tensor<4xi1>
  %a = nn.select %m, %x, %x : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %b = nn.select %true, %x, %y : (tensor<i1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %c = nn.select %false, %x, %y : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %a, %b, %c : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @choices_that_repeat_or_are_open
// CHECK-COUNT-2: nn.select
func.func @choices_that_repeat_or_are_open(%m: tensor<4xi1>, %s: tensor<f32>, %x: tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>) {
  %true = nn.constant dense<true> : tensor<4xi1>
  %some = nn.constant dense<[true, false, true, true]> : tensor<4xi1>
  %a = nn.select %true, %s, %x : (tensor<4xi1>, tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %b = nn.select %some, %x, %s : (tensor<4xi1>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %a, %b : tensor<4xf32>, tensor<4xf32>
}
