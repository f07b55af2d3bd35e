// RUN: sbp-opt %s --sbp-to-boxed=micro-batches=2 2> /dev/null | FileCheck %s

// Stages 1 and 2 read a result of stage 0. Both gradients of it are added on @middle,
// where the second one is computed, and not on @back: there, the backward pass of stage 2
// would wait for that of stage 1, which waits for it.

sbp.machine @host [#sbp.level<"cpu" x 3, alpha = 1.0e-6, beta = 1.0e-9>]
    device #sbp.device<memory = 1.0e10, bandwidth = 1.0e10, rates = [#sbp.rate<f32, 1.0e11>]>
sbp.mesh @front of @host ranks [0] [#sbp.axis<"one" x 1 in "cpu">]
sbp.mesh @middle of @host ranks [1] [#sbp.axis<"one" x 1 in "cpu">]
sbp.mesh @back of @host ranks [2] [#sbp.axis<"one" x 1 in "cpu">]
sbp.stages [@front, @middle, @back]

nn.parameter @w0 : tensor<8x8xf32> = #nn.normal<0.1>
nn.parameter @w1 : tensor<8x8xf32> = #nn.normal<0.1>

func.func @loss(%x: tensor<4x8xf32> {nn.input = "x"})
    -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.sgd} {
  %w0 = nn.get @w0 : tensor<8x8xf32>
  %w1 = nn.get @w1 : tensor<8x8xf32>
  %y = nn.einsum "bi,ij->bj" %x, %w0 {sbp.stage = 0} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %z = nn.einsum "bi,ij->bj" %y, %w1 {sbp.stage = 1} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %sum = nn.add %z, %y {sbp.stage = 2} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %loss = nn.reduce sum %sum over [0, 1] : tensor<4x8xf32> -> tensor<f32>
  return %loss : tensor<f32>
}

// CHECK-LABEL: func.func private @train_step.part(
//       CHECK:   %[[BACK:.*]]:2 = call @loss.stage2.part.backward(
//       CHECK:   call @loss.stage1.part.backward(
//       CHECK:   %[[SKIP:.*]] = sbp.box %[[BACK]]#{{.*}} : {{.*}} to tensor<2x8xf32, #B_middle>
//       CHECK:   %[[SUM:.*]] = nn.add {{.*}} -> tensor<2x8xf32, #B_middle>
//       CHECK:   sbp.box %[[SUM]] : {{.*}} to tensor<2x8xf32, #B_front>
//       CHECK:   call @loss.stage0.part.backward(
