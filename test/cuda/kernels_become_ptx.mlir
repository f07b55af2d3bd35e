// RUN: sbpc %s --target cuda --emit ptx | FileCheck %s --check-prefixes=PTX,SM80
// RUN: sbpc %s --target cuda --gpu sm_80 --emit ptx | FileCheck %s --check-prefixes=PTX,SM80
// RUN: sbpc %s --target cuda --gpu sm_90a --emit ptx | FileCheck %s --check-prefixes=PTX,SM90
// RUN: sbpc %s --target cuda --gpu sm_100a --emit ptx | FileCheck %s --check-prefixes=PTX,SM100
// RUN: sbpc %s --target cuda --emit gpu | FileCheck %s --check-prefix=GPU
// RUN: sbpc %s --target cuda --emit llvm | FileCheck %s --check-prefix=LLVM
// RUN: sbpc %s --target cuda --emit ptx > %t.1
// RUN: env CUDA_HOME=/nowhere CUDA_PATH=/nowhere sbpc %s --target cuda --emit ptx > %t.2
// RUN: cmp %t.1 %t.2

// Kernels become PTX without a GPU or a toolkit, in the oldest version that supports the
// chip, so that drivers that are years old can load it.

// SM80: .version 7.0
// SM80-NEXT: .target sm_80
// SM90: .version 8.0
// SM90-NEXT: .target sm_90a
// SM100: .version 8.6
// SM100-NEXT: .target sm_100a

// Elements are accessed four at a time; no thread uses local memory.
// PTX-NOT: .local
// PTX: .visible .entry relu_0_64x32
// PTX: .maxntid 256
// PTX: ld.global{{.*}}.v4.{{[fb]}}32
// PTX: st.global{{.*}}.v4.{{[fb]}}32
// PTX-NOT: .local
// PTX: .visible .entry einsum_1_64x16
// PTX: bar{{.*}}sync
// PTX-NOT: .local

// GPU: gpu.module @kernels
// GPU: gpu.func @relu_0_64x32({{.*}}) kernel attributes {known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 2, 1, 1>}
// GPU: gpu.func @einsum_1_64x16({{.*}}) workgroup(

// LLVM: target triple = "nvptx64-nvidia-cuda"
// LLVM: define {{.*}}ptx_kernel void @relu_0_64x32(

nn.parameter @w : tensor<32x16xf32> = #nn.zeros
func.func @f(%x: tensor<64x32xf32> {nn.input = "x"}) -> (tensor<64x16xf32> {nn.output = "y"}) {
  %w = nn.get @w : tensor<32x16xf32>
  %a = nn.relu %x : tensor<64x32xf32>
  %y = nn.einsum "bi,ij->bj" %a, %w : (tensor<64x32xf32>, tensor<32x16xf32>) -> tensor<64x16xf32>
  return %y : tensor<64x16xf32>
}
