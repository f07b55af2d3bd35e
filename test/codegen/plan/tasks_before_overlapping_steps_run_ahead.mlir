// RUN: rm -rf %t
// RUN: sbpc %S/two_stages.mlir --micro-batches 1 --schedule pipedream --emit plan --dump-forms %t -o %t.json
// RUN: FileCheck %s --input-file %t/tasks/rank-0/train_step/02-blocks.txt --check-prefix=BEFORE
// RUN: FileCheck %s --input-file %t/tasks/rank-0/train_step/03-overlapping-steps.txt --check-prefix=AFTER
// RUN: FileCheck %s --input-file %t/tasks/rank-1/train_step/03-overlapping-steps.txt --check-prefix=LAST

// Without a flush, the forward of stage 0 runs for the next step, so the tasks before the loop
// do as well. The last stage runs one step after the other.

// BEFORE: steps overlap, at most 2; step offset before the loop: 0
// BEFORE: order {{.*}} 0:0+1
//  AFTER: steps overlap, at most 2; step offset before the loop: 1
//   LAST: steps overlap, at most 2; step offset before the loop: 0
