// RUN: sbp-opt %s --sbp-to-placed="search-seconds=1e-9" --verify-diagnostics | FileCheck %s --check-prefixes=CHECK,TIME
// RUN: sbp-opt %s --sbp-to-placed="search-memory=1" --verify-diagnostics | FileCheck %s
// RUN: sbp-opt %s --sbp-to-placed="search-seconds=1e-9" -o /dev/null 2>&1 | FileCheck %s --check-prefix=SAID
// RUN: sbp-opt %s --sbp-to-placed="search-memory=1" -o /dev/null 2>&1 | FileCheck %s --check-prefix=MEMORY

// A search without time or memory ends with the plan of a named strategy, here data
// parallelism. The remark has the reason for the end.

// SAID: remark: the plan for @apply takes {{.*}} s by the model; it is not proven to be the best: the search was ended by its limit of {{.*}} s
// MEMORY: remark: {{.*}} it is not proven to be the best: the search was ended by its limit of 0.0 GB of memory

// CHECK-LABEL: func.func @apply
// TIME-SAME: tensor<4096x64x{{.*}}#S0_S0_{{[a-z0-9]+}}>
//       CHECK: nn.einsum
//   TIME-SAME: -> tensor<4096x64x{{.*}}#S0_S0_{{[a-z0-9]+}}>

sbp.machine @m [#sbp.level<"node" x 4, alpha = 9.6e-6, beta = 2.0e-11>,
                #sbp.level<"gpu" x 8, alpha = 3.4e-6, beta = 2.84e-12>]
    device #sbp.device<memory = 8.0e10, bandwidth = 3.35e12, rates = [#sbp.rate<f32, 1.0e12>]>
// expected-remark@+1 {{it is not proven to be the best}}
func.func @apply(%x: tensor<4096x64xf32> {nn.input = "x"},
                 %w: tensor<64x64xf32> {nn.input = "w"})
    -> (tensor<4096x64xf32> {nn.output = "y"}) {
  %y = nn.einsum "bi,ij->bj" %x, %w
      : (tensor<4096x64xf32>, tensor<64x64xf32>) -> tensor<4096x64xf32>
  return %y : tensor<4096x64xf32>
}
