// RUN: sbpc %s -n 1 --load-dialect-plugin=%fixtures/trial/trial.so --emit plan | FileCheck %s --check-prefix=CPU
// RUN: sbpc %s -n 1 --load-dialect-plugin=%fixtures/trial/trial.so --target cuda --emit plan 2>&1 | FileCheck %s --check-prefix=GPU

// An op may have a kernel for all targets, one for CPUs and one for GPUs at once. Only the one
// for CPUs says that it can write in place.

// CPU: {"kernel": 1, "buffers": [[[BUFFER:[0-9]+]], [[BUFFER]]]
// GPU: {"kernel": 1, "buffers": [[[BUFFER:[0-9]+]],
// GPU-NOT: [[BUFFER]]]
// GPU-SAME: "call"
func.func @predict(%x: tensor<8x4xf32> {nn.input = "x"})
    -> (tensor<8x4xf32> {nn.output = "y"}) {
  %a = nn.exp %x : tensor<8x4xf32>
  %b = trial.copy %a : tensor<8x4xf32>
  %y = nn.exp %b : tensor<8x4xf32>
  return %y : tensor<8x4xf32>
}
