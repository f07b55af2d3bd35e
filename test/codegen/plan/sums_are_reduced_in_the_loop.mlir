// RUN: rm -rf %t
// RUN: sbpc %S/four_stages.mlir --micro-batches 4 --schedule interleaved --emit plan --dump-forms %t -o %t.json
// RUN: FileCheck %s --input-file %t/tasks/rank-0/train_step/05-joined-updates.txt --check-prefix=BEFORE
// RUN: FileCheck %s --input-file %t/tasks/rank-0/train_step/06-early-sums.txt --check-prefix=AFTER

// The gradient of stage 2 is complete before that of stage 0, and is reduced at once, by a
// block that runs once. The gradient of stage 0 is reduced after the loop.

//  BEFORE-NOT: once
//      BEFORE: order
//      BEFORE: %[[W0:[0-9]+]]:{{.*}} = rank.reduce_scatter(%{{[0-9]+}}:loss#0)
//      BEFORE: 31  %[[W2:[0-9]+]]:{{.*}} = rank.reduce_scatter(%{{[0-9]+}}:loss#1)
//      BEFORE: -- updates --

//      AFTER: block 10 (2G), once, runs: 1
// AFTER-NEXT: 31  {{.*}} = rank.reduce_scatter(%{{[0-9]+}}:loss#1)
// AFTER-NEXT: order
//      AFTER: 6:3 10:0 7:2
//      AFTER: rank.reduce_scatter(%{{[0-9]+}}:loss#0)
//  AFTER-NOT: rank.reduce_scatter
//      AFTER: -- updates --
