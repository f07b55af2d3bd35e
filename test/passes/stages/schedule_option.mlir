// RUN: sbp-opt %s "--sbp-schedule-stages=schedule=1f1b micro-batches=3" | FileCheck %s --check-prefix=FAMILY
// RUN: sbp-opt %s "--sbp-schedule-stages=schedule='zb-h1<recompute = true>' micro-batches=2" | FileCheck %s --check-prefix=HALVES
// RUN: sbp-opt %s "--sbp-schedule-stages=schedule='zb-h1<recompute = true>'" 2>&1 | FileCheck %s --check-prefix=FOR-NOTHING
// RUN: echo "0F0,0F1,0F2@3,,0B0,0B1,0B2" > %t.csv
// RUN: echo ",1F0,1F1,1F2,1B0,1B1,1B2" >> %t.csv
// RUN: sbp-opt %s --sbp-schedule-stages=schedule=%t.csv | FileCheck %s --check-prefix=FILE
// RUN: sbp-opt %s --sbp-to-differentiated=schedule=%t.csv | FileCheck %s --check-prefix=PARTS
// RUN: sbp-opt %s --sbp-schedule-stages=micro-batches=2 | FileCheck %s --check-prefix=USUAL
// RUN: sbp-opt %s --sbp-schedule-stages=micro-batches=1 | FileCheck %s --check-prefix=NONE
// RUN: sbp-opt %s "--sbp-schedule-stages=micro-batches=2 execute=messages" | FileCheck %s --check-prefix=MESSAGES
// RUN: not sbp-opt %s "--sbp-schedule-stages=micro-batches=1 execute=messages" 2>&1 | FileCheck %s --check-prefix=NOTHING

// A family recomputes the stages whose functions do not keep all values; a table must agree.
// RUN: sbp-opt %s --sbp-cut-stages | sed 's/attributes {sbp.stage = 1/attributes {sbp.keep = #sbp.keep<products>, sbp.stage = 1/' > %t.marked
// RUN: sbp-opt %t.marked "--sbp-schedule-stages=schedule=1f1b micro-batches=2" --sbp-cut-stages | FileCheck %s --check-prefix=MARKED
// RUN: not sbp-opt %t.marked --sbp-schedule-stages=schedule=%t.csv --sbp-cut-stages 2>&1 | FileCheck %s --check-prefix=DISAGREES
//    MARKED: @front "0F0,0F1,0B0,0B1",
//    MARKED: @back "1F0,1R0,1B0,1F1,1R1,1B1"]
//    MARKED: func.func private @loss.stage1({{.*}}sbp.keep = #sbp.keep<products>
// DISAGREES: error: 'func.func' op has 'sbp.keep' = #sbp.keep<products>, but the schedule does not recompute stage 1; leave out the attribute, or add a task 1R before each backward

// A differentiated program is not changed.
// RUN: sbp-opt %s --sbp-to-differentiated > %t.mlir
// RUN: sbp-opt %t.mlir "--sbp-schedule-stages=schedule=1f1b micro-batches=3" | diff %t.mlir -

//      FAMILY: sbp.stages [@front, @back]
// FAMILY-NEXT: sbp.schedule [
// FAMILY-NEXT:   @front "0F0,0F1,0B0,0F2,0B1,0B2",
// FAMILY-NEXT:   @back "1F0,1B0,1F1,1B1,1F2,1B2"]

// The last stage would hold recomputed values of both micro-batches up to their W, as many
// as without recomputation.
//      HALVES: sbp.schedule [
// HALVES-NEXT:   @front "0F0,0F1,0R0,0I0,0W0,0R1,0I1,0W1",
// HALVES-NEXT:   @back "1F0,1I0,1F1,1I1,1W0,1W1"]
//      FOR-NOTHING: remark: no stage is recomputed: each would hold the saved values of as many micro-batches at once as without it
//  FOR-NOTHING-NOT: {{[01]}}R

// Idle slots have no meaning.
//      FILE: sbp.schedule [
// FILE-NEXT:   @front "0F0,0F1,0F2,0B0,0B1,0B2",
// FILE-NEXT:   @back "1F0,1F1,1F2,1B0,1B1,1B2"]
//     PARTS: nn.repeat 3 @train_step.part

//      USUAL: sbp.schedule [
// USUAL-NEXT:   @front "0F0,0F1,0B0,0B1",
// USUAL-NEXT:   @back "1F0,1B0,1F1,1B1"]

// NONE-NOT: sbp.schedule

//      MESSAGES: sbp.schedule [
// MESSAGES-NEXT:   @front "0F0,0F1,0B0,0B1",
// MESSAGES-NEXT:   @back "1F0,1B0,1F1,1B1"] {by_messages}
// NOTHING: error: execute=messages needs a schedule, but there is none; a schedule needs sbp.stages whose groups share no ranks, and micro-batches

// A schedule that does not fit is refused, and the error says what would fit.
// RUN: not sbp-opt %s --sbp-to-local="schedule=%t.csv micro-batches=2" 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: not sbp-opt %s --sbp-schedule-stages=schedule=interleaved 2>&1 | FileCheck %s --check-prefix=CHUNKS
// RUN: not sbp-opt %s --sbp-schedule-stages=schedule=zb-v 2>&1 | FileCheck %s --check-prefix=SHORT
// RUN: not sbp-opt %s "--sbp-schedule-stages=schedule=zb-v micro-batches=3" 2>&1 | FileCheck %s --check-prefix=STAGES
// RUN: sed 's/stages \[@front, @back\]/stages [@back, @front, @front, @front]/' %s > %t.four
// RUN: not sbp-opt %t.four "--sbp-schedule-stages=schedule=zb-v micro-batches=3" 2>&1 | FileCheck %s --check-prefix=MAP
// RUN: sbp-opt %s "--sbp-schedule-stages=schedule='chimera<variant = doubling>' micro-batches=4" | FileCheck %s --check-prefix=PIPES
// RUN: not sbp-opt %s "--sbp-to-local=schedule=pipedream micro-batches=2" 2>&1 | FileCheck %s --check-prefix=FLUSH
// RUN: not sbp-opt %s --sbp-schedule-stages=schedule=1f2b 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not sbp-opt %s "--sbp-schedule-stages=schedule='1f1b<pairs = 2>'" 2>&1 | FileCheck %s --check-prefix=PAIRS
// RUN: not sbp-opt %s "--sbp-schedule-stages=schedule='1f1b<depth = 2>'" 2>&1 | FileCheck %s --check-prefix=DEPTH
// RUN: not sbp-opt %s --sbp-schedule-stages=schedule=%t.none 2>&1 | FileCheck %s --check-prefix=ABSENT
// RUN: echo "0F0,0Q0" > %t.bad.csv
// RUN: not sbp-opt %s --sbp-schedule-stages=schedule=%t.bad.csv 2>&1 | FileCheck %s --check-prefix=CELL
// RUN: echo "0F0,1F0,1B0,0B0" > %t.line.csv
// RUN: not sbp-opt %s --sbp-schedule-stages=schedule=%t.line.csv 2>&1 | FileCheck %s --check-prefix=LINES
// RUN: echo "1F0,1B0" > %t.turned.csv
// RUN: echo "0F0,0B0" >> %t.turned.csv
// RUN: not sbp-opt %s --sbp-to-local=schedule=%t.turned.csv 2>&1 | FileCheck %s --check-prefix=TURNED
// RUN: sed '/^sbp.stages/d' %s > %t.unstaged
// RUN: not sbp-opt %t.unstaged --sbp-schedule-stages=schedule=1f1b 2>&1 | FileCheck %s --check-prefix=UNSTAGED
// RUN: sbp-opt %s --sbp-schedule-stages=micro-batches=2 > %t.own
// RUN: not sbp-opt %t.own --sbp-schedule-stages=schedule=1f1b 2>&1 | FileCheck %s --check-prefix=OWN

//  COUNT: error: 'sbp.schedule' op has 3 micro-batches, but 2 are asked for; leave out the option micro-batches
// CHUNKS: error: interleaved needs 2 or more chunks per worker; 1 is given, which is 1f1b
//  SHORT: error: zb-v needs N >= 2D-1 = 3 micro-batches for 2 workers; 1 are given
// STAGES: error: the schedule zb-v has 4 stages, but sbp.stages has 2
// STAGES: note: zb-v is for sbp.stages [@front, @back, @back, @front]; the schedule list is for any stages
//    MAP: error: the schedule zb-v runs stage 3 on worker 0, @back, but sbp.stages has it on worker 1, @front
//    MAP: note: zb-v is for sbp.stages [@back, @front, @front, @back]; the schedule list is for any stages
//  PIPES: @front "0F0-1,1F2-3,1B2,0B0,1B3,0B1",
//  FLUSH: error: the schedule pipedream has 0U1<1; a step must update its weights once, by the gradients of all its micro-batches; to update after each micro-batch, make it a step of its own
//   NAME: error: there is no family '1f2b'; there are gpipe, 1f1b,
//  PAIRS: error: 1f1b has no pairs of pipes; 2 are given
//  DEPTH: error: there is no 'depth' to choose of a family; there are chunks, pairs, variant and recompute
// ABSENT: error: cannot read {{.*}}.none: No such file or directory
//   CELL: error: {{.*}}.bad.csv: line 1, cell 2: 
//  LINES: error: {{.*}}.line.csv has 1 line, but sbp.stages has 2 groups; it needs one line per group
// TURNED: {{.*}}.turned.csv:1:1: error: 'sbp.schedule' op runs stage 0 on worker 1, @back, but sbp.stages has it on worker 0, @front
// UNSTAGED: error: the schedule 1f1b is for stages, but the module has no sbp.stages
//    OWN: error: 'sbp.schedule' op is the module's schedule, but the option gives the schedule 1f1b; leave out one of them

// If groups share a rank, the order is not checked.
// RUN: sed 's/@back of @host ranks \[1\]/@back of @host ranks [2]/' %s > %t.common
// RUN: sbp-opt %t.common --sbp-schedule-stages=micro-batches=2 2>&1 | FileCheck %s --check-prefix=COMMON
// COMMON: remark: micro-batches run one after another, without a schedule: the program is for groups that have rank 2 in common, @front and @back
// COMMON-NOT: sbp.schedule [

sbp.machine @host [#sbp.level<"cpu" x 3, alpha = 1.0e-6, beta = 1.0e-9>]
sbp.mesh @front of @host ranks [2, 0] [#sbp.axis<"data" x 2 in "cpu">]
sbp.mesh @back of @host ranks [1] [#sbp.axis<"one" x 1 in "cpu">]
sbp.stages [@front, @back]

nn.parameter @w : tensor<8x8xf32> = #nn.normal<0.1>

func.func @loss(%x: tensor<6x8xf32> {nn.input = "x"}, %y: tensor<6x8xf32> {nn.input = "y"})
    -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<8x8xf32>
  %h = nn.einsum "bi,ij->bj" %x, %w {sbp.stage = 0} : (tensor<6x8xf32>, tensor<8x8xf32>) -> tensor<6x8xf32>
  %loss = nn.mse %h, %y {sbp.stage = 1} : (tensor<6x8xf32>, tensor<6x8xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}
