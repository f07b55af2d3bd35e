// RUN: sbp-opt %s --sbp-to-local=micro-batches=2 2> /dev/null | FileCheck %s

// Stages on both groups read %x, so every rank has all of it. The ranks of @back, where it
// is to be split, take their parts from it: nothing is sent.

sbp.machine @host [#sbp.level<"cpu" x 3, alpha = 1.0e-6, beta = 1.0e-9>]
    device #sbp.device<memory = 1.0e10, bandwidth = 1.0e10, rates = [#sbp.rate<f32, 1.0e11>]>
sbp.mesh @front of @host ranks [0] [#sbp.axis<"one" x 1 in "cpu">]
sbp.mesh @back of @host ranks [1, 2] [#sbp.axis<"data" x 2 in "cpu">]
sbp.stages [@front, @back]

nn.parameter @w : tensor<8x8xf32> = #nn.normal<0.1>

func.func @loss(%x: tensor<4x8xf32> {nn.input = "x"})
    -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<8x8xf32>
  %y = nn.einsum "bi,ij->bj" %x, %w {sbp.stage = 0} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %split = sbp.pin %y {sbp.stage = 1} : tensor<4x8xf32> to #sbp.nd<@back, [S(0)]>
  %sum = nn.add %split, %x : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %loss = nn.reduce sum %sum over [0, 1] : tensor<4x8xf32> -> tensor<f32>
  return %loss : tensor<f32>
}

//   CHECK-NOT: #B_host> to
// CHECK-LABEL: rank.program @ranks_like_1
// CHECK-LABEL: func.func private @train_step.part(
//       CHECK:   %[[WHOLE:.*]] = nn.part
//       CHECK:   rank.slice %[[WHOLE]] dim 0 over ["data"] {rank.group = @back, rank.task = #sbp.task<1F>}
