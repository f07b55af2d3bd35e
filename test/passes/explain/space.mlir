// RUN: sbpc explain %s --space autoddl | FileCheck %s
// RUN: sbpc explain %s --no-pipeline | FileCheck %s --check-prefix=FULL

// A plan is proven optimal in the searched space; named strategies may be outside of it,
// and faster.

// CHECK-LABEL: @train_step:
//       CHECK: No plan of AutoDDL's space takes less than {{.*}}: proven. Buckets that are not full take {{.*}} more
// CHECK-LABEL: @loss:
//       CHECK: No plan that agrees with that of @train_step takes less: proven.
//       CHECK: This plan of @train_step and others:
//  CHECK-NEXT: {{.*}}They may be outside of AutoDDL's space, from which
//       CHECK: this plan {{.*}} 1.00 x
//       CHECK: tensor parallelism {{.*}} 0.{{[0-9]+}} x
//       CHECK: best plan of AutoDDL's space with this one pin

//  FULL-LABEL: @train_step:
//        FULL: No plan takes less: proven.
//    FULL-NOT: outside of AutoDDL's space

sbp.machine @m [#sbp.level<"a" x 2, alpha = 1.0e-5, beta = 1.0e-9>, #sbp.level<"b" x 2, alpha = 1.0e-6, beta = 1.0e-10>] device #sbp.device<memory = 1.0e9, bandwidth = 1.0e11, rates = [#sbp.rate<f32, 1.0e12>]>

nn.parameter @w0 : tensor<32x64xf32> = #nn.normal<0.2500>
nn.parameter @w1 : tensor<64x64xf32> = #nn.normal<0.1768>
nn.parameter @w2 : tensor<64x8xf32> = #nn.normal<0.1768>
nn.parameter @b0 : tensor<64xf32> = #nn.zeros
nn.parameter @b1 : tensor<64xf32> = #nn.zeros
nn.parameter @b2 : tensor<8xf32> = #nn.zeros

func.func @loss(%i0: tensor<16x32xf32> {nn.input = "x"}, %i1: tensor<16xi32> {nn.input = "y"}) -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.sgd} {
  %v1 = nn.get @w0 : tensor<32x64xf32>
  %v2 = nn.einsum "bi,ij->bj" %i0, %v1 : (tensor<16x32xf32>, tensor<32x64xf32>) -> tensor<16x64xf32>
  %v3 = nn.get @b0 : tensor<64xf32>
  %v4 = nn.add %v2, %v3 : (tensor<16x64xf32>, tensor<64xf32>) -> tensor<16x64xf32>
  %v5 = nn.relu %v4 : tensor<16x64xf32>
  %v6 = nn.get @w1 : tensor<64x64xf32>
  %v7 = nn.einsum "bi,ij->bj" %v5, %v6 : (tensor<16x64xf32>, tensor<64x64xf32>) -> tensor<16x64xf32>
  %v8 = nn.get @b1 : tensor<64xf32>
  %v9 = nn.add %v7, %v8 : (tensor<16x64xf32>, tensor<64xf32>) -> tensor<16x64xf32>
  %v10 = nn.relu %v9 : tensor<16x64xf32>
  %v11 = nn.get @w2 : tensor<64x8xf32>
  %v12 = nn.einsum "bi,ij->bj" %v10, %v11 : (tensor<16x64xf32>, tensor<64x8xf32>) -> tensor<16x8xf32>
  %v13 = nn.get @b2 : tensor<8xf32>
  %v14 = nn.add %v12, %v13 : (tensor<16x8xf32>, tensor<8xf32>) -> tensor<16x8xf32>
  %v15 = nn.cross_entropy %v14, %i1 : (tensor<16x8xf32>, tensor<16xi32>) -> tensor<f32>
  return %v15 : tensor<f32>
}
