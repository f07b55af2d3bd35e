// RUN: sbp-opt %s --sbp-to-differentiated | FileCheck %s
// RUN: sbp-opt %s --sbp-to-differentiated > %t.differentiated
// RUN: sbp-opt %t.differentiated --sbp-divide-pipes | diff %t.differentiated -
// RUN: sbp-opt %t.differentiated --sbp-to-boxed 2> /dev/null > %t.boxed
// RUN: FileCheck %s --check-prefix=BOXED < %t.boxed
// RUN: sbp-opt %t.boxed --sbp-to-local | FileCheck %s --check-prefix=LOCAL

// Two pipes in opposite directions: micro-batch 1 has stage 0 on @back, which otherwise has
// stage 1, and stage 1 on @front.

sbp.machine @host [#sbp.level<"cpu" x 3, alpha = 1.0e-6, beta = 1.0e-9>]
    device #sbp.device<memory = 1.0e10, bandwidth = 1.0e10, rates = [#sbp.rate<f32, 1.0e11>]>
sbp.mesh @front of @host ranks [2, 0] [#sbp.axis<"data" x 2 in "cpu">]
sbp.mesh @back of @host ranks [1] [#sbp.axis<"one" x 1 in "cpu">]
sbp.stages [@front, @back]
sbp.schedule [@front "0F0,1F1,1B1,0B0", @back "0F1,1F0,1B0,0B1"]

nn.parameter @w : tensor<8x8xf32> = #nn.normal<0.1>
nn.parameter @v : tensor<8x8xf32> = #nn.normal<0.1>

// Functions of stages on another group than in sbp.stages have the attribute sbp.group.
//     CHECK: func.func private @loss.stage0.part.forward(
// CHECK-NOT: sbp.group
//     CHECK: func.func private @loss.stage0.part.forward.back(
// CHECK-SAME:  sbp.group = @back, sbp.kind = #sbp.kind<F>, sbp.stage = 0
//     CHECK: func.func private @loss.stage1.part.backward.front(
// CHECK-SAME:  sbp.group = @front, sbp.kind = #sbp.kind<B>, sbp.stage = 1

// Sums of gradients are added on the group of the parameters.
//     CHECK: func.func @train_step(
//     CHECK:   %[[AWAY:.*]]:3 = nn.repeat 2 only [1] @train_step.part(
//     CHECK:   %[[HOME:.*]]:3 = nn.repeat 2 only [0] @train_step.part.pipe1(
//     CHECK:   nn.add %[[HOME]]#1, %[[AWAY]]#1
//     CHECK: func.func private @train_step.part(
//     CHECK:   call @loss.stage0.part.forward.back(
//     CHECK: func.func private @train_step.part.pipe1(
//     CHECK:   call @loss.stage0.part.forward(

// Inputs of pipes are sent before the first pipe, so that the pipes run as one. Each
// parameter, and its optimiser's state, is on one group only.
//     BOXED: nn.parameter @w : {{.*}}_front>
//     BOXED: nn.parameter @v : {{.*}}_back>
//     BOXED: func.func @train_step(
//     BOXED: sbp.box {{.*}}_front>
//     BOXED: sbp.box {{.*}}_back>
//     BOXED: nn.repeat 2 only [1]
// BOXED-NEXT: nn.repeat 2 only [0]

//      LOCAL: rank.program
//      LOCAL: nn.repeat 2 only [1]
// LOCAL-NEXT: nn.repeat 2 only [0]

func.func @loss(%x: tensor<4x8xf32> {nn.input = "x"}, %y: tensor<4x8xf32> {nn.input = "y"})
    -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<8x8xf32>
  %v = nn.get @v : tensor<8x8xf32>
  %h = nn.einsum "bi,ij->bj" %x, %w {sbp.stage = 0} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %r = nn.relu %h : tensor<4x8xf32>
  %o = nn.einsum "bi,ij->bj" %r, %v {sbp.stage = 1} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %loss = nn.mse %o, %y : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}
