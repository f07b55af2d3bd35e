// RUN: sbp-opt %s --sbp-to-boxed=micro-batches=2 2> /dev/null | FileCheck %s

// The loss is a quotient of two sums over samples, so its derivative by the first sum is a
// factor of all gradients. The factor is computed on the loss's group, @back. It is sent to
// @front, and not the gradient of @w0 to @back.

sbp.machine @host [#sbp.level<"cpu" x 2, alpha = 1.0e-6, beta = 1.0e-9>]
    device #sbp.device<memory = 1.0e10, bandwidth = 1.0e10, rates = [#sbp.rate<f32, 1.0e11>]>
sbp.mesh @front of @host ranks [0] [#sbp.axis<"one" x 1 in "cpu">]
sbp.mesh @back of @host ranks [1] [#sbp.axis<"one" x 1 in "cpu">]
sbp.stages [@front, @back]

nn.parameter @w0 : tensor<8x8xf32> = #nn.normal<0.1>
nn.parameter @w1 : tensor<8x8xf32> = #nn.normal<0.1>

// CHECK-LABEL: func.func @train_step(
//       CHECK:   %[[SUMS:.*]]:4 = nn.repeat 2 @train_step.part(
//       CHECK:   %[[FACTOR:.*]] = nn.div {{.*}}adjoint_of{{.*}} -> tensor<f32, #B_back>
//       CHECK:   %[[SENT:.*]] = sbp.box %[[FACTOR]] : tensor<f32, #B_back> to tensor<f32, #B_front>
//       CHECK:   nn.mul %[[SENT]], %[[SUMS]]#{{.}} : {{.*}} -> tensor<8x8xf32, #B_front>
//   CHECK-NOT:   sbp.box {{.*}}tensor<8x8xf32, #B_front
//       CHECK:   return
func.func @loss(%x: tensor<4x8xf32> {nn.input = "x"}, %weight: tensor<4x1xf32> {nn.input = "weight"})
    -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.sgd} {
  %w0 = nn.get @w0 : tensor<8x8xf32>
  %w1 = nn.get @w1 : tensor<8x8xf32>
  %y = nn.einsum "bi,ij->bj" %x, %w0 {sbp.stage = 0} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %z = nn.einsum "bi,ij->bj" %y, %w1 {sbp.stage = 1} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %weighted = nn.mul %z, %weight : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  %sum = nn.reduce sum %weighted over [0, 1] : tensor<4x8xf32> -> tensor<f32>
  %count = nn.reduce sum %weight over [0, 1] : tensor<4x1xf32> -> tensor<f32>
  %loss = nn.div %sum, %count : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %loss : tensor<f32>
}
