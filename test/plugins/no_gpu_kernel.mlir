// RUN: sbpc %s -n 1 --load-dialect-plugin=%fixtures/only_cpu/only_cpu.so --emit plan | FileCheck %s --check-prefix=CPU
// RUN: not sbpc %s -n 1 --load-dialect-plugin=%fixtures/only_cpu/only_cpu.so --target cuda --emit plan 2>&1 | FileCheck %s --check-prefix=GPU

// An op of a plug-in may have a kernel for CPUs only. For GPUs that is one error, at
// the op.

// CPU: "name": "copy_
// GPU: no_gpu_kernel.mlir:[[# @LINE + 4]]:{{.*}}error: 'only_cpu.copy' op has no GPU kernel
// GPU-NOT: error:
func.func @predict(%x: tensor<8x4xf32> {nn.input = "x"})
    -> (tensor<8x4xf32> {nn.output = "y"}) {
  %y = only_cpu.copy %x : tensor<8x4xf32>
  return %y : tensor<8x4xf32>
}
