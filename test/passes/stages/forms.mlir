// RUN: sbp-opt %s --sbp-to-placed=micro-batches=2 2> /dev/null | FileCheck %s --check-prefix=PLACED
// RUN: sbp-opt %s --sbp-to-local=micro-batches=2 2> /dev/null | FileCheck %s --check-prefix=LOCAL
// RUN: not sbp-opt %s --sbp-to-placed=mesh=host 2>&1 | FileCheck %s --check-prefix=MESH
// RUN: not sbp-opt %s --sbp-to-placed=layers=free 2>&1 | FileCheck %s --check-prefix=FREE

// RUN: sed 's/#sbp.nd<@front, \[S(0)\]>/#sbp.nd<@nowhere, [B]>/' %s > %t.pin
// RUN: not sbp-opt %t.pin --sbp-to-placed 2>&1 | FileCheck %s --check-prefix=PIN

//  PIN: error: 'func.func' op is pinned on @nowhere, but its stage is placed on @front
// MESH: error: 'sbp.stages' op states the groups of ranks that run the program, so that it cannot be placed on --mesh host
// FREE: error: 'sbp.stages' op cuts the program into stages, and within a stage all calls of a layer are placed alike

// A tied table on two groups, through the forms. Stage 0 has two ranks, stage 1 one.

sbp.machine @host [#sbp.level<"cpu" x 3, alpha = 1.0e-6, beta = 1.0e-9>]
    device #sbp.device<memory = 1.0e10, bandwidth = 1.0e10, rates = [#sbp.rate<f32, 1.0e11>]>
sbp.mesh @front of @host ranks [2, 0] [#sbp.axis<"data" x 2 in "cpu">]
sbp.mesh @back of @host ranks [1] [#sbp.axis<"one" x 1 in "cpu">]
sbp.stages [@front, @back]

nn.parameter @table : tensor<7x8xf32> = #nn.normal<0.1>

func.func @loss(%tokens: tensor<4x6xi32> {nn.input = "tokens", sbp.pin = #sbp.nd<@front, [S(0)]>},
                %targets: tensor<4x6xi32> {nn.input = "targets"})
    -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.sgd} {
  %table = nn.get @table : tensor<7x8xf32>
  %stream = nn.embedding %table, %tokens {sbp.stage = 0} : (tensor<7x8xf32>, tensor<4x6xi32>) -> tensor<4x6x8xf32>
  %logits = nn.einsum "btd,vd->btv" %stream, %table {sbp.stage = 1} : (tensor<4x6x8xf32>, tensor<7x8xf32>) -> tensor<4x6x7xf32>
  %loss = nn.cross_entropy %logits, %targets : (tensor<4x6x7xf32>, tensor<4x6xi32>) -> tensor<f32>
  return %loss : tensor<f32>
}

// The table is on the group of the first stage that reads it, an input on that of the stage
// that uses it, and the loss on the last one.
//       PLACED: nn.parameter @table : tensor<7x8xf32, #{{.*}}_front>
// PLACED-LABEL: func.func private @loss.stage0.part.forward(
//  PLACED-SAME:   -> tensor<2x6x8xf32, #{{.*}}_front>
// PLACED-LABEL: func.func private @loss.stage1.part.forward(
//  PLACED-SAME:   tensor<2x6x8xf32, #B_back>
// PLACED-LABEL: func.func @train_step(
//  PLACED-SAME:   tensor<4x6xi32, #S0_front> {nn.below = 7 : i64, nn.input = "tokens"}
//  PLACED-SAME:   tensor<4x6xi32, #B_back> {nn.below = 7 : i64, nn.input = "targets"}
//  PLACED-SAME:   tensor<f32, #B_front> {nn.input = "lr"}
//  PLACED-SAME:   -> (tensor<f32, #B_back> {nn.output = "loss"})
// The table is sent to the other group once, not per micro-batch, and the sum of its
// gradients returns once.
//       PLACED:   sbp.cast {{.*}} : tensor<7x8xf32, #{{.*}}_front> to tensor<7x8xf32, #B_back>
//       PLACED:   nn.repeat 2 @train_step.part
//       PLACED:   sbp.cast {{.*}} : tensor<7x8xf32, #B_back> to tensor<7x8xf32, #{{.*}}_front>
//       PLACED:   nn.sgd
// PLACED-LABEL: func.func private @train_step.part(
//       PLACED:   call @loss.stage0.part.forward
//       PLACED:   sbp.cast {{.*}} : tensor<2x6x8xf32, #{{.*}}_front> to tensor<2x6x8xf32, #B_back>
//       PLACED:   call @loss.stage1.part.forward
//       PLACED:   call @loss.stage1.part.backward
//       PLACED:   call @loss.stage0.part.backward

// Each rank has the functions, parameters, arguments and results of its group.
//       LOCAL: rank.transfer @[[TABLE:.*]] : tensor<7x8xf32, #{{.*}}_front> to tensor<7x8xf32, #B_back>
// LOCAL-LABEL: rank.program @ranks_like_0 on @host ranks [0, 2]
//       LOCAL:   nn.parameter @table
//   LOCAL-NOT:   @loss.stage1
// LOCAL-LABEL:   func.func @train_step(
//  LOCAL-SAME:     nn.input = "tokens", rank.whole
//  LOCAL-SAME:     nn.input = "lr", rank.position = 2 : i64, rank.whole
//   LOCAL-NOT:     nn.output
//       LOCAL:   nn.sgd
// LOCAL-LABEL: rank.program @ranks_like_1 on @host ranks [1]
//   LOCAL-NOT:   nn.parameter
//   LOCAL-NOT:   @loss.stage0
// LOCAL-LABEL:   func.func @train_step(
//  LOCAL-SAME:     nn.input = "targets", rank.position = 1 : i64
//  LOCAL-SAME:     nn.output = "loss"
//       LOCAL:   rank.receive through
//   LOCAL-NOT:   nn.sgd
