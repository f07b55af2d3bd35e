// RUN: rm -rf %t
// RUN: sbpc %s --target cuda -n 2 --dump-forms %t --form-places --emit ptx -o %t.ptx
// RUN: FileCheck %s --input-file=%t/5-local.mlir --check-prefix=LOCAL
// RUN: FileCheck %s --input-file=%t/6-gpu.mlir --check-prefix=GPU
// RUN: FileCheck %s --input-file=%t/7-llvm.ll --check-prefix=LLVM
// RUN: cmp %t/8-kernels.ptx %t.ptx
// RUN: sbpc %t/4-boxed.mlir --target cuda --emit ptx | cmp - %t.ptx
// RUN: sbpc explain %s --target cuda -n 2 | FileCheck %s --check-prefix=EXPLAIN

// LOCAL: rank.program
// GPU: gpu.module @kernels
// LLVM: nvptx64-nvidia-cuda

// Without a machine, the ranks are GPUs of one node.
// EXPLAIN: on 2 ranks in a mesh of 2 (gpu)
// EXPLAIN: A device launches 1 kernel.

func.func @f(%x: tensor<64x32xf32> {nn.input = "x"}) -> (tensor<64x32xf32> {nn.output = "y"}) {
  %y = nn.relu %x : tensor<64x32xf32>
  return %y : tensor<64x32xf32>
}
