// RUN: sbp-opt %s --sbp-to-placed="divide-levels" --verify-diagnostics | FileCheck %s

// Four nodes of eight devices are five axes of two devices, on which an einsum of three
// loops has a thousand signatures. A remark would report that the plan is not proven
// the best; there is none.

// CHECK: sbp.mesh @divided of @m [#sbp.axis<"node.0" x 2 in "node">, #sbp.axis<"node.1" x 2 in "node">,
// CHECK-SAME: #sbp.axis<"gpu.0" x 2 in "gpu">, #sbp.axis<"gpu.1" x 2 in "gpu">, #sbp.axis<"gpu.2" x 2 in "gpu">]

// Eight devices share the samples and four the features: parts for those 32 devices
// along one of them would differ in size.
// CHECK-LABEL: func.func @apply
//       CHECK: nn.einsum "bi,ij->bj"
//  CHECK-SAME: -> tensor<8x100x{{.*}}#S1_S1_S0_S0_S0_{{[a-z0-9]+}}>
//       CHECK: nn.einsum "bj,jk->bk"
//  CHECK-SAME: -> tensor<8x512x{{.*}}#Psum_Psum_S0_S0_S0_{{[a-z0-9]+}}>

sbp.machine @m [#sbp.level<"node" x 4, alpha = 9.6e-6, beta = 2.0e-11>,
                #sbp.level<"gpu" x 8, alpha = 3.4e-6, beta = 2.84e-12>]
    device #sbp.device<memory = 8.0e10, bandwidth = 3.35e12, rates = [#sbp.rate<f32, 1.0e12>]>
func.func @apply(%x: tensor<8x512xf32> {nn.input = "x"},
                 %u: tensor<512x100xf32> {nn.input = "u"},
                 %d: tensor<100x512xf32> {nn.input = "d"})
    -> (tensor<8x512xf32> {nn.output = "y"}) {
  %h = nn.einsum "bi,ij->bj" %x, %u
      : (tensor<8x512xf32>, tensor<512x100xf32>) -> tensor<8x100xf32>
  %y = nn.einsum "bj,jk->bk" %h, %d
      : (tensor<8x100xf32>, tensor<100x512xf32>) -> tensor<8x512xf32>
  return %y : tensor<8x512xf32>
}
