// RUN: sbp-opt %s --sbp-choose-stages="stages=2 groups=1x2" | FileCheck %s
// RUN: sbp-opt %s --sbp-choose-stages="stages=2 groups=2x1" > %t.shape
// RUN: sbp-opt %s --sbp-choose-stages="stages=2 groups=2" | diff %t.shape -
// RUN: sbp-opt %s --sbp-choose-stages="stages=4 groups=1x4" | FileCheck %s --check-prefix=WHOLE
// RUN: sbp-opt %s --sbp-choose-stages="stages=4 groups=2x2" | FileCheck %s --check-prefix=BOTH
// RUN: not sbp-opt %s --sbp-choose-stages="stages=4 groups=1x3" 2>&1 | FileCheck %s --check-prefix=SHAPE
// RUN: not sbp-opt %s --sbp-choose-stages="stages=4 groups=1x2x1" 2>&1 | FileCheck %s --check-prefix=LEVELS
// RUN: not sbp-opt %s --sbp-choose-stages="stages=2 groups=2x2" 2>&1 | FileCheck %s --check-prefix=FEW
// RUN: not sbp-opt %s --sbp-choose-stages="stages=2 groups=2xx" 2>&1 | FileCheck %s --check-prefix=TEXT

// A number of groups per level says along which levels the pipeline runs. Groups have the rest
// of each level.

sbp.machine @hosts [#sbp.level<"host" x 2, alpha = 1.0e-5, beta = 1.0e-9>,
                    #sbp.level<"cpu" x 4, alpha = 1.0e-6, beta = 1.0e-10>]
    device #sbp.device<memory = 1.0e9, bandwidth = 1.0e10, rates = [#sbp.rate<f32, 1.0e11>]>

// Half of the devices of each host.
// CHECK: sbp.mesh @group0 of @hosts ranks [0, 1, 4, 5] [#sbp.axis<"host" x 2 in "host">, #sbp.axis<"cpu" x 2 in "cpu">]
// CHECK: sbp.mesh @group1 of @hosts ranks [2, 3, 6, 7] [#sbp.axis<"host" x 2 in "host">, #sbp.axis<"cpu" x 2 in "cpu">]

// A device of each host.
// WHOLE: sbp.mesh @group0 of @hosts ranks [0, 4] [#sbp.axis<"host" x 2 in "host">]
// WHOLE: sbp.mesh @group3 of @hosts ranks [3, 7] [#sbp.axis<"host" x 2 in "host">]

// Two hosts, halved.
// BOTH: sbp.mesh @group1 of @hosts ranks [2, 3] [#sbp.axis<"cpu" x 2 in "cpu">]
// BOTH: sbp.mesh @group2 of @hosts ranks [4, 5] [#sbp.axis<"cpu" x 2 in "cpu">]

// SHAPE: error: 'sbp.machine' op has 2 x 4 ranks in the axes of @hosts, which cannot be divided into 1x3 equal groups; there can be 1, 2, 4 or 8, or per axis (1 or 2) x (1, 2 or 4)
// LEVELS: error: 'sbp.machine' op has 2 x 4 ranks in the axes of @hosts, which cannot be divided into 1x2x1 equal groups
// FEW: error: 2 stages are too few for 4 groups
// TEXT: groups: "2xx" is no integer from 1 to 65536, nor a product of one per level, as 1x8x1

func.func private @layer(%x: tensor<16x8xf32>, %w: tensor<8x8xf32>) -> tensor<16x8xf32> {
  %y = nn.einsum "bi,ij->bj" %x, %w : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
  return %y : tensor<16x8xf32>
}

nn.parameter @w0 : tensor<8x8xf32> = #nn.zeros
nn.parameter @w1 : tensor<8x8xf32> = #nn.zeros
nn.parameter @w2 : tensor<8x8xf32> = #nn.zeros
func.func @loss(%x: tensor<16x8xf32> {nn.input = "x"}) -> (tensor<f32> {nn.output = "loss"})
    attributes {nn.optimizer = #nn.sgd} {
  %w0 = nn.get @w0 : tensor<8x8xf32>
  %w1 = nn.get @w1 : tensor<8x8xf32>
  %w2 = nn.get @w2 : tensor<8x8xf32>
  %x0 = call @layer(%x, %w0) : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
  %x1 = call @layer(%x0, %w1) : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
  %x2 = call @layer(%x1, %w2) : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
  %loss = nn.mse %x2, %x : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}
