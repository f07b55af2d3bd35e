// RUN: sbp-opt %s --sbp-cut-stages | FileCheck %s --check-prefix=CUT
// RUN: sbp-opt %s --sbp-cut-stages > %t
// RUN: sbp-opt %t --sbp-cut-stages | diff %t -
// RUN: sbp-opt %s --sbp-to-local 2> /dev/null | FileCheck %s --check-prefix=LOCAL
// RUN: sbp-opt %s --sbp-to-differentiated=micro-batches=2 | FileCheck %s --check-prefix=PARTS
// RUN: sbp-opt %s --sbp-to-differentiated > %t.differentiated
// RUN: sbp-opt %t.differentiated --sbp-to-placed 2> /dev/null > %t.placed
// RUN: sbp-opt %t.placed --sbp-to-boxed > %t.boxed
// RUN: sbp-opt %t.boxed --sbp-to-local > %t.local
// RUN: sbp-opt %t.local --sbp-to-local | diff %t.local -
// RUN: FileCheck %s --check-prefix=LOCAL < %t.local

// RUN: not sbp-opt %s --sbp-to-differentiated=micro-batches=4 2>&1 | FileCheck %s --check-prefix=FOUR
// RUN: sed 's/1W1"/1B1"/' %t.boxed > %t.changed
// RUN: not sbp-opt %t.changed --sbp-to-local 2>&1 | FileCheck %s --check-prefix=CHANGED
// Updates at the end of rows have their default position.
// RUN: sed 's/0R1,0B1/0R1,0B1,0G,0U/; s/1I1,1W1/1I1,1W1,1G,1U/' %s | sbp-opt --sbp-to-local 2> /dev/null | grep -v "@front\|@back" > %t.updates
// RUN: grep -v "@front\|@back" %t.local | diff - %t.updates
// RUN: sed 's/1I0,1W0,1F1,1I1,1W1/1B0,1F1,1B1/' %t | sbp-opt --sbp-cut-stages | FileCheck %s --check-prefix=WHOLE

// FOUR: error: 'sbp.schedule' op has 2 micro-batches, but 4 are asked for; leave out the option micro-batches
// CHANGED: error: 'sbp.schedule' op cannot be run: stage 1, micro-batch 1 has a backward on worker 1 and a backward of inputs on worker 1

// Stage 0 is recomputed, and the backward pass of stage 1 is in halves. Only the functions
// that are differentiated have these attributes.

sbp.machine @host [#sbp.level<"cpu" x 3, alpha = 1.0e-6, beta = 1.0e-9>]
    device #sbp.device<memory = 1.0e10, bandwidth = 1.0e10, rates = [#sbp.rate<f32, 1.0e11>]>
sbp.mesh @front of @host ranks [2, 0] [#sbp.axis<"data" x 2 in "cpu">]
sbp.mesh @back of @host ranks [1] [#sbp.axis<"one" x 1 in "cpu">]
sbp.stages [@front, @back]
sbp.schedule [@front "0F0,0F1,0R0,0B0,0R1,0B1", @back "1F0,1I0,1W0,1F1,1I1,1W1"]

nn.parameter @w : tensor<8x8xf32> = #nn.normal<0.1>
nn.parameter @v : tensor<8x8xf32> = #nn.normal<0.1>

//       CUT: func.func private @loss.stage0(
//  CUT-SAME:   attributes {sbp.keep = #sbp.keep<inputs>, sbp.stage = 0 : i64}
//       CUT: func.func private @loss.stage1(
//  CUT-SAME:   attributes {sbp.split_backward, sbp.stage = 1 : i64}
//       CUT: func.func private @predict.stage0(
//  CUT-SAME:   attributes {sbp.stage = 0 : i64}
//       CUT: func.func private @predict.stage1(
//  CUT-SAME:   attributes {sbp.stage = 1 : i64}

//     WHOLE: func.func private @loss.stage0(
// WHOLE-SAME:  attributes {sbp.keep = #sbp.keep<inputs>, sbp.stage = 0 : i64}
//     WHOLE: func.func private @loss.stage1(
// WHOLE-SAME:  attributes {sbp.stage = 1 : i64}

// The schedule determines the number of micro-batches.
//     PARTS: nn.repeat 2 @train_step.part

//      LOCAL: sbp.schedule [
// LOCAL-NEXT:   @front "0F0,0F1,0R0,0B0,0R1,0B1",
// LOCAL-NEXT:   @back "1F0,1I0,1W0,1F1,1I1,1W1"]

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

func.func @predict(%x: tensor<4x8xf32> {nn.input = "x"}) -> (tensor<4x8xf32> {nn.output = "o"}) {
  %w = nn.get @w : tensor<8x8xf32>
  %v = nn.get @v : tensor<8x8xf32>
  %h = nn.einsum "bi,ij->bj" %x, %w {sbp.stage = 0} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %o = nn.einsum "bi,ij->bj" %h, %v {sbp.stage = 1} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  return %o : tensor<4x8xf32>
}
