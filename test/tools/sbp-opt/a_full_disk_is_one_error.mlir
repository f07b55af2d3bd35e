// RUN: not sbp-opt %s > /dev/full 2> %t.err
// RUN: FileCheck %s --input-file %t.err --implicit-check-not LLVM
// CHECK: {{^}}error: cannot write standard output: No space left on device{{$}}

func.func @double(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = nn.add %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
