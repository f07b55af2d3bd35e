// RUN: sbp-opt %s --sbp-choose-stages="stages=2 micro-batches=4" | FileCheck %s
// RUN: sbp-opt %s --sbp-choose-stages="stages=3 groups=1" | FileCheck %s --check-prefix=TURNS
// RUN: sbp-opt %s --sbp-choose-stages="stages=4 micro-batches=4" | FileCheck %s --check-prefix=EACH
// RUN: sbp-opt %s --sbp-choose-stages="stages=4 groups=2 micro-batches=4 schedule=zb-v" | FileCheck %s --check-prefix=BACK
// RUN: echo "0F0,0B0" > %t.csv
// RUN: echo "1F0,2F0,2B0,1B0" >> %t.csv
// RUN: sbp-opt %s --sbp-choose-stages="stages=3 groups=2 schedule=%t.csv" | FileCheck %s --check-prefix=FILE
// RUN: sbp-opt %s --sbp-choose-stages="stages=2 micro-batches=4" > %t
// RUN: sbp-opt %t --sbp-to-placed=micro-batches=4 2> /dev/null | FileCheck %s --check-prefix=PLACED

// A model is cut where its busiest stage has least to do. The head has a vocabulary of
// 4096, and takes longer than all three layers.

sbp.machine @hosts [#sbp.level<"host" x 2, alpha = 1.0e-5, beta = 1.0e-9>,
                    #sbp.level<"cpu" x 2, alpha = 1.0e-6, beta = 1.0e-10>]
    device #sbp.device<memory = 1.0e9, bandwidth = 1.0e10, rates = [#sbp.rate<f32, 1.0e11>]>

// The user has the name that groups would have.
nn.parameter @group1 : tensor<64x64xf32> = #nn.normal<0.1>
nn.parameter @w1 : tensor<64x64xf32> = #nn.normal<0.1>
nn.parameter @w2 : tensor<64x64xf32> = #nn.normal<0.1>
nn.parameter @head : tensor<64x4096xf32> = #nn.normal<0.1>

func.func private @layer(%x: tensor<256x64xf32>, %w: tensor<64x64xf32>) -> tensor<256x64xf32> {
  %y = nn.einsum "bi,ij->bj" %x, %w : (tensor<256x64xf32>, tensor<64x64xf32>) -> tensor<256x64xf32>
  %z = nn.relu %y : tensor<256x64xf32>
  return %z : tensor<256x64xf32>
}

// Each group is a host of its own.
//       CHECK: sbp.mesh @group_0 of @hosts ranks [0, 1] [#sbp.axis<"cpu" x 2 in "cpu">]
//       CHECK: sbp.mesh @group_1 of @hosts ranks [2, 3] [#sbp.axis<"cpu" x 2 in "cpu">]
//       CHECK: sbp.stages [@group_0, @group_1]
// CHECK-LABEL: func.func @loss
//       CHECK:   call @layer({{.*}}) {sbp.stage = 0 : i64}
//   CHECK-NOT:   sbp.stage
//       CHECK:   nn.einsum "bi,ij->bj" {{.*}} {sbp.stage = 1 : i64}
//   CHECK-NOT:   sbp.stage
//       CHECK:   return

// Stages take one group in turns.
// TURNS: sbp.mesh @group0 of @hosts ranks [0, 1, 2, 3]
// TURNS-SAME: [#sbp.axis<"host" x 2 in "host">, #sbp.axis<"cpu" x 2 in "cpu">]
// TURNS: sbp.stages [@group0, @group0, @group0]

// By the schedule they go there and back, or as a file has them.
// BACK: sbp.stages [@group_0, @group_1, @group_1, @group_0]
// FILE: sbp.stages [@group_0, @group_1, @group_1]

// A rank for each stage: the axis is of one.
// EACH: sbp.mesh @group_3 of @hosts ranks [3] [#sbp.axis<"cpu" x 1 in "cpu">]

// What comes out goes on as if it were cut by hand.
//       PLACED: nn.parameter @w2 : tensor<64x64xf32, #{{.*}}_group_0>
//       PLACED: nn.parameter @head : tensor<64x4096xf32, #{{.*}}_group_1>
func.func @loss(%x: tensor<256x64xf32> {nn.input = "x"}, %classes: tensor<256xi32> {nn.input = "classes"})
    -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.sgd} {
  %w0 = nn.get @group1 : tensor<64x64xf32>
  %w1 = nn.get @w1 : tensor<64x64xf32>
  %w2 = nn.get @w2 : tensor<64x64xf32>
  %head = nn.get @head : tensor<64x4096xf32>
  %x0 = call @layer(%x, %w0) : (tensor<256x64xf32>, tensor<64x64xf32>) -> tensor<256x64xf32>
  %x1 = call @layer(%x0, %w1) : (tensor<256x64xf32>, tensor<64x64xf32>) -> tensor<256x64xf32>
  %x2 = call @layer(%x1, %w2) : (tensor<256x64xf32>, tensor<64x64xf32>) -> tensor<256x64xf32>
  %logits = nn.einsum "bi,ij->bj" %x2, %head : (tensor<256x64xf32>, tensor<64x4096xf32>) -> tensor<256x4096xf32>
  %loss = nn.cross_entropy %logits, %classes : (tensor<256x4096xf32>, tensor<256xi32>) -> tensor<f32>
  return %loss : tensor<f32>
}

// An entry that is not trained follows: what reads a stage's parameters is of that stage.
// CHECK-LABEL: func.func @scores
//       CHECK:   nn.relu {{.*}} {sbp.stage = 0 : i64}
//   CHECK-NOT:   sbp.stage
//       CHECK:   nn.einsum "bi,ij->bj" {{.*}} {sbp.stage = 1 : i64}
//   CHECK-NOT:   sbp.stage
func.func @scores(%x: tensor<8x64xf32> {nn.input = "x"}) -> (tensor<8x4096xf32> {nn.output = "scores"}) {
  %positive = nn.relu %x : tensor<8x64xf32>
  %w2 = nn.get @w2 : tensor<64x64xf32>
  %head = nn.get @head : tensor<64x4096xf32>
  %y = nn.einsum "bi,ij->bj" %positive, %w2 : (tensor<8x64xf32>, tensor<64x64xf32>) -> tensor<8x64xf32>
  %scores = nn.einsum "bi,ij->bj" %y, %head : (tensor<8x64xf32>, tensor<64x4096xf32>) -> tensor<8x4096xf32>
  return %scores : tensor<8x4096xf32>
}
