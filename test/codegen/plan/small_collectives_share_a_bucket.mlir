// RUN: rm -rf %t
// RUN: sbpc %S/four_stages.mlir --micro-batches 4 --schedule interleaved --emit plan --dump-forms %t -o %t.json
// RUN: FileCheck %s --input-file %t/tasks/rank-0/train_step/07-agreements.txt --check-prefix=BEFORE
// RUN: FileCheck %s --input-file %t/tasks/rank-0/train_step/08-buckets.txt --check-prefix=AFTER

// The new values of both parameters are gathered together, once the second one is made.

//      BEFORE: -- updates --
//      BEFORE: {{^ *[0-9]+}}  %[[W0:[0-9]+]]:w0_1 = rank.all_gather(%{{[0-9]+}}:{{[^ ]*}}){{$}}
//      BEFORE: nn.sgd(
// BEFORE-NEXT: {{^ *[0-9]+}}  %[[W2:[0-9]+]]:w2_1 = rank.all_gather(%{{[0-9]+}}:{{[^ ]*}}){{$}}

//      AFTER: -- updates --
//  AFTER-NOT: all_gather
//      AFTER: nn.sgd(
//  AFTER-NOT: all_gather
//      AFTER: nn.sgd(
// AFTER-NEXT: :w0_1 = rank.all_gather({{.*}})  bucket 0
// AFTER-NEXT: :w2_1 = rank.all_gather({{.*}})  bucket 0
