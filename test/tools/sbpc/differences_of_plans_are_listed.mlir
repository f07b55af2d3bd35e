// RUN: sbpc %s --stages 2 --micro-batches 4 --schedule zb-h1 --emit logical -o %t.a.mlir
// RUN: sbpc %s --stages 2 --micro-batches 4 --schedule 1f1b --keep inputs --emit placed -o %t.b.mlir

// A text is as its plan, in whatever form it is given.
// RUN: sbpc %t.a.mlir --emit placed -o %t.placed.mlir
// RUN: sbpc diff %t.a.mlir %t.a.mlir | FileCheck %s --check-prefix=SAME
// RUN: sbpc diff %t.a.mlir %t.placed.mlir | FileCheck %s --check-prefix=SAME

// RUN: sbpc diff %t.a.mlir %t.b.mlir | FileCheck %s --check-prefix=OTHER
// RUN: sbpc diff %t.a.mlir %t.b.mlir --json | FileCheck %s --check-prefix=JSON

// The cut is edited: stage 1 begins one layer earlier.
// RUN: sed -E 's/(%x1 = call @layer\(.*\)) : /\1 {sbp.stage = 1 : i64} : /; s/(%x2 = .*)\{sbp.stage = 1 : i64\} /\1/' %t.a.mlir > %t.c.mlir
// RUN: sbpc diff %t.a.mlir %t.c.mlir | FileCheck %s --check-prefix=CUT

// Of programs without stages, too; a pin moves a parameter.
// RUN: sed 's/@w0 : tensor<64x64xf32> = #nn.normal<0.1>/@w0 : tensor<64x64xf32> = #nn.normal<0.1> {sbp.pin = #sbp.nd<@m, [B, S(1)]>}/' %s > %t.pinned.mlir
// RUN: sbpc diff %s %t.pinned.mlir --no-pipeline | FileCheck %s --check-prefix=PIN
// RUN: sbpc diff %s %t.a.mlir --no-pipeline | FileCheck %s --check-prefix=STAGES

// RUN: sbpc %s --emit local -o %t.local.mlir
// RUN: not sbpc diff %s %t.local.mlir 2>&1 | FileCheck %s --check-prefix=LOCAL
// RUN: not sbpc diff - - < %s 2>&1 | FileCheck %s --check-prefix=INPUT
// RUN: not sbpc diff %s %t.absent.mlir 2>&1 | FileCheck %s --check-prefix=ABSENT

//       SAME: The plans are the same.
//       SAME: Pipeline: the same
//       SAME: Units of each stage: the same
//       SAME: Tensors: the same placements
//       SAME: @train_step

//      OTHER: Pipeline:
// OTHER-NEXT:   schedule zb-h1 1f1b
// OTHER-NEXT:   computed again - layer
//      OTHER: Units of each stage: the same
//      OTHER: Time of a step
// OTHER-NEXT:   @train_step {{.*}} {{[+-].*}} %
// OTHER-NEXT:     computing
//      OTHER:     idle
//      OTHER: Peak memory:
// OTHER-NEXT:   group 0
// OTHER-NEXT:   group 1
//      OTHER:     activations

//       JSON: "schedule": "zb-h1"
//       JSON: "idle":
//       JSON: "schedule": "1f1b"
//       JSON: "recomputed": [
//  JSON-NEXT:   "layer"
//       JSON: "same": false
//  JSON-NEXT: "same_pipeline": false
//  JSON-NEXT: "same_stages": true

//        CUT: Pipeline: the same
//        CUT: Units of each stage:
//   CUT-NEXT:   0  2 = 2 x layer      1 = layer
//   CUT-NEXT:   1  3 = 2 x layer, op  4 = 3 x layer, op

//        PIN: Pipeline: the same
//        PIN: Parameters whose placements differ:
//        PIN: 1 x @w*: {{.*}} -> [B, S(1)]

//     STAGES: groups {{ *}}1 of 2 x 2 ranks {{ *}}2 of 2 ranks
//     STAGES: stages {{ *}}1 {{ *}}2
//     STAGES: micro-batches {{ *}}1 {{ *}}4
//     STAGES: schedule {{ *}}none {{ *}}zb-h1

// LOCAL: error: the model is in the local form, in which it no longer shows its plan; diff takes any form up to the boxed one
// INPUT: error: only one of the two models can be read from standard input
// ABSENT: error: {{.*}}absent.mlir

sbp.machine @m [#sbp.level<"node" x 2, alpha = 1.0e-5, beta = 1.0e-8>, #sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-11>]
    device #sbp.device<memory = 1.0e9, bandwidth = 1.0e11, rates = [#sbp.rate<f32, 4.0e9>]>

nn.parameter @w0 : tensor<64x64xf32> = #nn.normal<0.1>
nn.parameter @w1 : tensor<64x64xf32> = #nn.normal<0.1>
nn.parameter @w2 : tensor<64x64xf32> = #nn.normal<0.1>
nn.parameter @w3 : tensor<64x64xf32> = #nn.normal<0.1>

func.func private @layer(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %h = nn.einsum "bi,ij->bj" %x, %w : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %y = nn.relu %h : tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}

func.func @loss(%x: tensor<64x64xf32> {nn.input = "x"}, %t: tensor<64x64xf32> {nn.input = "t"})
    -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.adam} {
  %w0 = nn.get @w0 : tensor<64x64xf32>
  %w1 = nn.get @w1 : tensor<64x64xf32>
  %w2 = nn.get @w2 : tensor<64x64xf32>
  %w3 = nn.get @w3 : tensor<64x64xf32>
  %x0 = call @layer(%x, %w0) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %x1 = call @layer(%x0, %w1) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %x2 = call @layer(%x1, %w2) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %x3 = call @layer(%x2, %w3) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %loss = nn.mse %x3, %t : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}
