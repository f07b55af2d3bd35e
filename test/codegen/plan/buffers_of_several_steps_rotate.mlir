// RUN: rm -rf %t
// RUN: sbpc %S/two_stages.mlir --micro-batches 1 --schedule pipedream --emit plan --dump-forms %t -o %t.json
// RUN: FileCheck %s --input-file %t/tasks/rank-0/train_step/10-live-ranges.txt --check-prefix=BEFORE
// RUN: FileCheck %s --input-file %t/tasks/rank-0/train_step/11-rotations.txt --check-prefix=AFTER
// RUN: diff %t/tasks/rank-1/train_step/10-live-ranges.txt %t/tasks/rank-1/train_step/11-rotations.txt

// Stage 0 takes the input of the next step, and still needs that of this step: there are two.
// The last stage is at one step at a time. Earlier values of parameters are buffers from the
// beginning.

// BEFORE: @w0@-1  parameter
// BEFORE: :x  input  tensor<64x8xf32>  2048 bytes  live 0-end{{$}}
//  AFTER: @w0@-1  parameter
//  AFTER: :x  input  tensor<64x8xf32>  2048 bytes  2 rotating copies  live 0-end{{$}}
