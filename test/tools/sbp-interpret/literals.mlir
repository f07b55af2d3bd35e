// RUN: sbp-interpret %s | FileCheck %s

// CHECK: output0: tensor<2x3xf32> = {{\[}}[0, 1, 0], [0, 0, -2]]
// CHECK: output1: tensor<2xf32> = [1, -2.5]
// CHECK: output2: tensor<i64> = 42
// CHECK: output3: tensor<3xi1> = [1, 0, 1]
func.func @literals() -> (tensor<2x3xf32>, tensor<2xf32>, tensor<i64>, tensor<3xi1>) {
  %sparse = nn.constant sparse<[[0, 1], [1, 2]], [1.0, -2.0]> : tensor<2x3xf32>
  %floats = nn.constant dense_resource<floats> : tensor<2xf32>
  %number = nn.constant dense_resource<number> : tensor<i64>
  %bits = nn.constant dense_resource<bits> : tensor<3xi1>
  return %sparse, %floats, %number, %bits
      : tensor<2x3xf32>, tensor<2xf32>, tensor<i64>, tensor<3xi1>
}

// The alignment, 4 bytes, then the elements.
{-#
  dialect_resources: {
    builtin: {
      floats: "0x040000000000803F000020C0",
      number: "0x080000002A00000000000000",
      bits: "0x01000000010001"
    }
  }
#-}
