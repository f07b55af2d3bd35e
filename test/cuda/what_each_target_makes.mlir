// RUN: sbpc %s --target cuda -o %t
// RUN: not %t --entry f 2>&1 | FileCheck %s --check-prefix=EXE
// RUN: rm %t
// RUN: not sbpc %s --target cuda --emit asm 2>&1 | FileCheck %s --check-prefix=ASM
// RUN: not sbpc %s --target cuda --emit obj -o %t 2>&1 | FileCheck %s --check-prefix=OBJ
// RUN: not ls %t
// RUN: not sbpc %s --emit ptx 2>&1 | FileCheck %s --check-prefix=PTX
// RUN: not sbpc %s --emit gpu 2>&1 | FileCheck %s --check-prefix=GPU
// RUN: not sbpc %s --target cuda --gpu sm_75 --emit ptx 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not sbpc %s --gpu sm_80 2>&1 | FileCheck %s --check-prefix=NO-GPU
// RUN: not sbpc %s --target cuda --cpu x86-64-v3 --emit ptx 2>&1 | FileCheck %s --check-prefix=NO-CPU
// RUN: not sbpc %s --target rocm 2>&1 | FileCheck %s --check-prefix=TARGET

// EXE: error: {{.*}}--data x=FILE
// ASM: error: --emit asm shows kernels for CPUs; kernels for GPUs show gpu, llvm and ptx
// OBJ: error: --emit obj shows kernels for CPUs; kernels for GPUs show gpu, llvm and ptx
// PTX: error: --emit ptx shows kernels for GPUs, which --target cuda makes; kernels for CPUs show llvm, asm and obj
// GPU: error: --emit gpu shows kernels for GPUs
// CHIP: error: unknown GPU 'sm_75'; known are sm_80, sm_90a, sm_100a
// NO-GPU: error: --gpu sm_80: kernels are made for CPUs; --target cuda makes them for GPUs
// NO-CPU: error: --cpu x86-64-v3: kernels are made for GPUs; --target cpu makes them for CPUs
// TARGET: error: --target: {{.*}}rocm

func.func @f(%x: tensor<4xf32> {nn.input = "x"}) -> (tensor<4xf32> {nn.output = "y"}) {
  %y = nn.relu %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
