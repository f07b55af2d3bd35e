// RUN: rm -rf %t
// RUN: sbpc %S/two_stages.mlir --micro-batches 4 --schedule 1f1b --emit plan --dump-forms %t -o %t.json
// RUN: FileCheck %s --input-file %t/tasks/rank-0/train_step/01-listed.txt --check-prefix=BEFORE
// RUN: FileCheck %s --input-file %t/tasks/rank-0/train_step/02-blocks.txt --check-prefix=AFTER

// The tasks of a loop are listed as the repeated function has them, and sorted by block
// afterwards: the forward of stage 0 sends its result, and the end of the send is a block of
// its own; the start of a receive too. Each block runs once per micro-batch. The order has
// pairs of a block and a micro-batch.

//      BEFORE: loop, iterations: 4
//  BEFORE-NOT: {{block|order}}
//      BEFORE: 2  %[[Y:[0-9]+]]:y0 = nn.tanh({{.*}})  call 2  of 0F
// BEFORE-NEXT: 3  %[[TOKEN:[0-9]+]] = start send @[[SEND:.*]](%[[Y]]:y0)  call 1  of 0F
// BEFORE-NEXT: 4  %[[START:[0-9]+]] = start receive @[[RECEIVE:.*]]()  into %[[G:[0-9]+]]:{{.*}}  of 0B
// BEFORE-NEXT: 5  %[[G]]:{{.*}} = finish receive @[[RECEIVE]](%[[START]])  call 1  of 0B
//      BEFORE: 9  finish send @[[SEND]](%[[Y]]:y0, %[[TOKEN]])  call 1  of 0F
//  BEFORE-NOT: {{block|order}}

//      AFTER: loop, iterations: 4
//      AFTER: block 0 (0F), runs: 4
//      AFTER: 3  {{.*}} = start send @
// AFTER-NEXT: block 1 (0F after), runs: 4
// AFTER-NEXT: 9  finish send @
// AFTER-NEXT: block 2 (0B before), runs: 4
// AFTER-NEXT: 4  {{.*}} = start receive @
// AFTER-NEXT: block 3 (0B), runs: 4
// AFTER-NEXT: 5  {{.*}} = finish receive @
//      AFTER: order 0:0 1:0 2:0 0:1 3:0 1:1 2:1 0:2 3:1 1:2 2:2 0:3 2:3 3:2 1:3 3:3
