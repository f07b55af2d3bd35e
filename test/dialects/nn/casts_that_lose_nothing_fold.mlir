// RUN: sbp-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @there_and_back
//  CHECK-SAME: (%[[X:.*]]: tensor<4xf32>, %[[H:.*]]: tensor<4xbf16>, %[[N:.*]]: tensor<4xi32>, %[[M:.*]]: tensor<4xi1>)
//  CHECK-NEXT: return %[[X]], %[[X]], %[[H]], %[[N]], %[[N]], %[[M]]
func.func @there_and_back(%x: tensor<4xf32>, %h: tensor<4xbf16>, %n: tensor<4xi32>, %m: tensor<4xi1>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xbf16>, tensor<4xi32>, tensor<4xi32>, tensor<4xi1>) {
  %a = nn.cast %x : tensor<4xf32> -> tensor<4xf32>
  %x64 = nn.cast %x : tensor<4xf32> -> tensor<4xf64>
  %b = nn.cast %x64 : tensor<4xf64> -> tensor<4xf32>
  %h32 = nn.cast %h : tensor<4xbf16> -> tensor<4xf32>
  %c = nn.cast %h32 : tensor<4xf32> -> tensor<4xbf16>
  %n64 = nn.cast %n : tensor<4xi32> -> tensor<4xi64>
  %d = nn.cast %n64 : tensor<4xi64> -> tensor<4xi32>
  %nf64 = nn.cast %n : tensor<4xi32> -> tensor<4xf64>
  %e = nn.cast %nf64 : tensor<4xf64> -> tensor<4xi32>
  %m32 = nn.cast %m : tensor<4xi1> -> tensor<4xbf16>
  %f = nn.cast %m32 : tensor<4xbf16> -> tensor<4xi1>
  return %a, %b, %c, %d, %e, %f
      : tensor<4xf32>, tensor<4xf32>, tensor<4xbf16>, tensor<4xi32>, tensor<4xi32>, tensor<4xi1>
}

// CHECK-LABEL: func.func @by_a_larger_type
//  CHECK-SAME: (%[[X:.*]]: tensor<4xf32>, %[[H:.*]]: tensor<4xbf16>, %[[N:.*]]: tensor<4xi32>)
//  CHECK-NEXT: nn.cast %[[X]] : tensor<4xf32> -> tensor<4xbf16>
//  CHECK-NEXT: nn.cast %[[H]] : tensor<4xbf16> -> tensor<4xf64>
//  CHECK-NEXT: nn.cast %[[N]] : tensor<4xi32> -> tensor<4xi1>
//  CHECK-NEXT: return
func.func @by_a_larger_type(%x: tensor<4xf32>, %h: tensor<4xbf16>, %n: tensor<4xi32>)
    -> (tensor<4xbf16>, tensor<4xf64>, tensor<4xi1>) {
  %x64 = nn.cast %x : tensor<4xf32> -> tensor<4xf64>
  %a = nn.cast %x64 : tensor<4xf64> -> tensor<4xbf16>
  %h32 = nn.cast %h : tensor<4xbf16> -> tensor<4xf32>
  %b = nn.cast %h32 : tensor<4xf32> -> tensor<4xf64>
  %n64 = nn.cast %n : tensor<4xi32> -> tensor<4xi64>
  %c = nn.cast %n64 : tensor<4xi64> -> tensor<4xi1>
  return %a, %b, %c : tensor<4xbf16>, tensor<4xf64>, tensor<4xi1>
}

// bf16 and f16 each lack numbers of the other, f32 those of i32, f64 those of i64, and
// i1 all but two.

// CHECK-LABEL: func.func @what_rounds_stays
// CHECK-COUNT-14: nn.cast
//       CHECK: return
func.func @what_rounds_stays(%x: tensor<4xf32>, %h: tensor<4xf16>, %b: tensor<4xbf16>,
                             %n: tensor<4xi32>, %l: tensor<4xi64>)
    -> (tensor<4xf32>, tensor<4xf16>, tensor<4xbf16>, tensor<4xi32>, tensor<4xi64>, tensor<4xi64>, tensor<4xi32>) {
  %0 = nn.cast %x : tensor<4xf32> -> tensor<4xbf16>
  %1 = nn.cast %0 : tensor<4xbf16> -> tensor<4xf32>
  %2 = nn.cast %h : tensor<4xf16> -> tensor<4xbf16>
  %3 = nn.cast %2 : tensor<4xbf16> -> tensor<4xf16>
  %4 = nn.cast %b : tensor<4xbf16> -> tensor<4xf16>
  %5 = nn.cast %4 : tensor<4xf16> -> tensor<4xbf16>
  %6 = nn.cast %n : tensor<4xi32> -> tensor<4xf32>
  %7 = nn.cast %6 : tensor<4xf32> -> tensor<4xi32>
  %8 = nn.cast %l : tensor<4xi64> -> tensor<4xf64>
  %9 = nn.cast %8 : tensor<4xf64> -> tensor<4xi64>
  %10 = nn.cast %l : tensor<4xi64> -> tensor<4xi32>
  %11 = nn.cast %10 : tensor<4xi32> -> tensor<4xi64>
  %12 = nn.cast %n : tensor<4xi32> -> tensor<4xi1>
  %13 = nn.cast %12 : tensor<4xi1> -> tensor<4xi32>
  return %1, %3, %5, %7, %9, %11, %13
      : tensor<4xf32>, tensor<4xf16>, tensor<4xbf16>, tensor<4xi32>, tensor<4xi64>, tensor<4xi64>, tensor<4xi32>
}

// Targets round integers to small floats by other ways, and a float outside of the
// range of integers is any of them.

// CHECK-LABEL: func.func @floats_and_integers_are_not_mixed
// CHECK-COUNT-4: nn.cast
//       CHECK: return
func.func @floats_and_integers_are_not_mixed(%n: tensor<4xi32>, %x: tensor<4xf32>)
    -> (tensor<4xbf16>, tensor<4xi32>) {
  %0 = nn.cast %n : tensor<4xi32> -> tensor<4xf64>
  %1 = nn.cast %0 : tensor<4xf64> -> tensor<4xbf16>
  %2 = nn.cast %x : tensor<4xf32> -> tensor<4xf64>
  %3 = nn.cast %2 : tensor<4xf64> -> tensor<4xi32>
  return %1, %3 : tensor<4xbf16>, tensor<4xi32>
}
