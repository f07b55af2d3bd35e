// RUN: not --crash sbpc %s -n 2 --load-dialect-plugin %fixtures/planted/planted.so --emit placed 2>&1 | FileCheck %s

// The code of a plug-in runs in the tools. If it crashes, the tool says whose code it may be, and
// which op was at work.

// CHECK: sbpc has crashed
// CHECK: It has loaded the plug-in {{.*}}planted.so, in which the bug may be instead, or in
// CHECK: checking 'planted.wrong'
func.func @f(%x: tensor<12x12xf32> {nn.input = "x"}) -> (tensor<12x12xf32> {nn.output = "y"}) {
  %y = planted.wrong build_crashes %x : (tensor<12x12xf32>) -> tensor<12x12xf32>
  return %y : tensor<12x12xf32>
}
