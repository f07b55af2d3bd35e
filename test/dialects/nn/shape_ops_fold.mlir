// RUN: sbp-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @what_changes_nothing_is_its_operand
//  CHECK-SAME: (%[[X:.*]]: tensor<4x4xf32>)
//  CHECK-NEXT: return %[[X]], %[[X]], %[[X]], %[[X]], %[[X]], %[[X]]
func.func @what_changes_nothing_is_its_operand(%x: tensor<4x4xf32>)
    -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %a = nn.reshape %x : tensor<4x4xf32> -> tensor<4x4xf32>
  %b = nn.transpose %x [0, 1] : tensor<4x4xf32> -> tensor<4x4xf32>
  %c = nn.broadcast %x : tensor<4x4xf32> -> tensor<4x4xf32>
  %d = nn.slice %x [0, 0] [4, 4] : tensor<4x4xf32> -> tensor<4x4xf32>
  %e = nn.pad %x [0, 0] [0, 0] : tensor<4x4xf32> -> tensor<4x4xf32>
  %f = nn.concat %x dim 1 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %a, %b, %c, %d, %e, %f
      : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}

// CHECK-LABEL: func.func @what_changes_something_stays
//       CHECK: nn.reshape
//       CHECK: nn.transpose
//       CHECK: nn.broadcast
//       CHECK: nn.slice
//       CHECK: nn.pad
//       CHECK: nn.concat
func.func @what_changes_something_stays(%x: tensor<4x4xf32>)
    -> (tensor<16xf32>, tensor<4x4xf32>, tensor<1x4x4xf32>, tensor<3x4xf32>, tensor<4x5xf32>, tensor<8x4xf32>) {
  %a = nn.reshape %x : tensor<4x4xf32> -> tensor<16xf32>
  %b = nn.transpose %x [1, 0] : tensor<4x4xf32> -> tensor<4x4xf32>
  %c = nn.broadcast %x : tensor<4x4xf32> -> tensor<1x4x4xf32>
  %d = nn.slice %x [1, 0] [3, 4] : tensor<4x4xf32> -> tensor<3x4xf32>
  %e = nn.pad %x [0, 0] [0, 1] : tensor<4x4xf32> -> tensor<4x5xf32>
  %f = nn.concat %x, %x dim 0 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  return %a, %b, %c, %d, %e, %f
      : tensor<16xf32>, tensor<4x4xf32>, tensor<1x4x4xf32>, tensor<3x4xf32>, tensor<4x5xf32>, tensor<8x4xf32>
}

// CHECK-LABEL: func.func @two_are_one
//  CHECK-SAME: (%[[X:.*]]: tensor<2x3x4xf32>)
//   CHECK-DAG: nn.reshape %[[X]] : tensor<2x3x4xf32> -> tensor<4x6xf32>
//   CHECK-DAG: nn.transpose %[[X]] [2, 0, 1] : tensor<2x3x4xf32> -> tensor<4x2x3xf32>
//   CHECK-DAG: nn.broadcast %[[X]] : tensor<2x3x4xf32> -> tensor<6x5x2x3x4xf32>
//   CHECK-DAG: nn.slice %[[X]] [1, 1, 1] [1, 1, 2] : tensor<2x3x4xf32> -> tensor<1x1x2xf32>
//   CHECK-DAG: nn.pad %[[X]] [1, 2, 0] [0, 1, 2] : tensor<2x3x4xf32> -> tensor<3x6x6xf32>
//  CHECK-NEXT: return
func.func @two_are_one(%x: tensor<2x3x4xf32>)
    -> (tensor<4x6xf32>, tensor<4x2x3xf32>, tensor<6x5x2x3x4xf32>, tensor<1x1x2xf32>, tensor<3x6x6xf32>) {
  %0 = nn.reshape %x : tensor<2x3x4xf32> -> tensor<24xf32>
  %a = nn.reshape %0 : tensor<24xf32> -> tensor<4x6xf32>
  %1 = nn.transpose %x [1, 2, 0] : tensor<2x3x4xf32> -> tensor<3x4x2xf32>
  %b = nn.transpose %1 [1, 2, 0] : tensor<3x4x2xf32> -> tensor<4x2x3xf32>
  %2 = nn.broadcast %x : tensor<2x3x4xf32> -> tensor<5x2x3x4xf32>
  %c = nn.broadcast %2 : tensor<5x2x3x4xf32> -> tensor<6x5x2x3x4xf32>
  %3 = nn.slice %x [0, 1, 1] [2, 2, 3] : tensor<2x3x4xf32> -> tensor<2x2x3xf32>
  %d = nn.slice %3 [1, 0, 0] [1, 1, 2] : tensor<2x2x3xf32> -> tensor<1x1x2xf32>
  %4 = nn.pad %x [1, 0, 0] [0, 1, 0] : tensor<2x3x4xf32> -> tensor<3x4x4xf32>
  %e = nn.pad %4 [0, 2, 0] [0, 0, 2] : tensor<3x4x4xf32> -> tensor<3x6x6xf32>
  return %a, %b, %c, %d, %e
      : tensor<4x6xf32>, tensor<4x2x3xf32>, tensor<6x5x2x3x4xf32>, tensor<1x1x2xf32>, tensor<3x6x6xf32>
}

// CHECK-LABEL: func.func @there_and_back
//  CHECK-SAME: (%[[X:.*]]: tensor<2x3xf32>)
//  CHECK-NEXT: return %[[X]], %[[X]], %[[X]]
func.func @there_and_back(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {
  %0 = nn.reshape %x : tensor<2x3xf32> -> tensor<6xf32>
  %a = nn.reshape %0 : tensor<6xf32> -> tensor<2x3xf32>
  %1 = nn.transpose %x [1, 0] : tensor<2x3xf32> -> tensor<3x2xf32>
  %b = nn.transpose %1 [1, 0] : tensor<3x2xf32> -> tensor<2x3xf32>
  %2 = nn.pad %x [0, 1] [2, 0] : tensor<2x3xf32> -> tensor<4x4xf32>
  %c = nn.slice %2 [0, 1] [2, 3] : tensor<4x4xf32> -> tensor<2x3xf32>
  return %a, %b, %c : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
}

// A slice with some of the zeros, and a pad of a slice, which lost elements.

// CHECK-LABEL: func.func @there_and_not_back
//  CHECK-SAME: (%[[X:.*]]: tensor<2x3xf32>)
//       CHECK: nn.pad %[[X]]
//       CHECK: nn.slice
//       CHECK: nn.slice %[[X]]
//       CHECK: nn.pad
func.func @there_and_not_back(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %2 = nn.pad %x [0, 1] [2, 0] : tensor<2x3xf32> -> tensor<4x4xf32>
  %a = nn.slice %2 [0, 0] [2, 3] : tensor<4x4xf32> -> tensor<2x3xf32>
  %3 = nn.slice %x [0, 1] [2, 2] : tensor<2x3xf32> -> tensor<2x2xf32>
  %b = nn.pad %3 [0, 1] [0, 0] : tensor<2x2xf32> -> tensor<2x3xf32>
  return %a, %b : tensor<2x3xf32>, tensor<2x3xf32>
}

// A constant of one repeated element has no order. Repeating it would take memory.

// CHECK-LABEL: func.func @of_one_repeated_element
//   CHECK-DAG: nn.constant dense<2.000000e+00> : tensor<6xf32>
//   CHECK-DAG: nn.constant dense<2.000000e+00> : tensor<3x2xf32>
//   CHECK-DAG: nn.constant dense<2.000000e+00> : tensor<2x1xf32>
//   CHECK-DAG: nn.broadcast {{.*}} : tensor<2x3xf32> -> tensor<9x2x3xf32>
//   CHECK-DAG: nn.pad {{.*}} : tensor<2x3xf32> -> tensor<2x4xf32>
func.func @of_one_repeated_element()
    -> (tensor<6xf32>, tensor<3x2xf32>, tensor<2x1xf32>, tensor<9x2x3xf32>, tensor<2x4xf32>) {
  %x = nn.constant dense<2.0> : tensor<2x3xf32>
  %a = nn.reshape %x : tensor<2x3xf32> -> tensor<6xf32>
  %b = nn.transpose %x [1, 0] : tensor<2x3xf32> -> tensor<3x2xf32>
  %c = nn.slice %x [0, 1] [2, 1] : tensor<2x3xf32> -> tensor<2x1xf32>
  %d = nn.broadcast %x : tensor<2x3xf32> -> tensor<9x2x3xf32>
  %e = nn.pad %x [0, 0] [0, 1] : tensor<2x3xf32> -> tensor<2x4xf32>
  return %a, %b, %c, %d, %e
      : tensor<6xf32>, tensor<3x2xf32>, tensor<2x1xf32>, tensor<9x2x3xf32>, tensor<2x4xf32>
}

// CHECK-LABEL: func.func @of_other_elements
//       CHECK: nn.constant
//   CHECK-DAG: nn.reshape
//   CHECK-DAG: nn.transpose
//   CHECK-DAG: nn.slice
func.func @of_other_elements() -> (tensor<4xf32>, tensor<2x2xf32>, tensor<2x1xf32>) {
  %x = nn.constant dense<[[1.0, 2.0], [2.0, 2.0]]> : tensor<2x2xf32>
  %a = nn.reshape %x : tensor<2x2xf32> -> tensor<4xf32>
  %b = nn.transpose %x [1, 0] : tensor<2x2xf32> -> tensor<2x2xf32>
  %c = nn.slice %x [0, 1] [2, 1] : tensor<2x2xf32> -> tensor<2x1xf32>
  return %a, %b, %c : tensor<4xf32>, tensor<2x2xf32>, tensor<2x1xf32>
}
