// RUN: printf '\223NUMPY\001\000v\000%%-117s\n' "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }" > %t.npy
// RUN: printf '\000\000\200\077\000\000\200\100\000\000\000\100\000\000\240\100\000\000\100\100\000\000\300\100' >> %t.npy
// RUN: sbp-interpret %s --entry f --input x=%t.npy | FileCheck %s

// Elements of a file in Fortran order are put in order, as compiled programs do.

// CHECK: y: tensor<2x3xf32> = {{\[}}[1, 2, 3], [4, 5, 6]]
func.func @f(%x: tensor<2x3xf32> {nn.input = "x"}) -> (tensor<2x3xf32> {nn.output = "y"}) {
  return %x : tensor<2x3xf32>
}
