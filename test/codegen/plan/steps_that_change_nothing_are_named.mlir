// RUN: rm -rf %t %t.json
// RUN: sbpc %s --emit plan --dump-forms %t -o %t.json
// RUN: FileCheck %s --input-file %t/tasks/steps.txt --match-full-lines --strict-whitespace
// RUN: FileCheck %s --input-file %t/tasks/rank-0/%%2E%%2E%%2Ff/13-offsets.txt --check-prefix=ENTRY
// RUN: cmp %t/tasks/rank-0/g/01-listed.txt %t/tasks/rank-0/g/02-blocks.txt

// A plan is the same whether its steps are written or not.
// RUN: sbpc %s --emit plan | cmp - %t.json
// RUN: cmp %t/6-plan.json %t.json

// A second entry is in a folder of its own, and so is an entry of any name. Ranks of one
// program share a folder, and each program has one.

//      CHECK:rank-0/%2E%2E%2Ff: entry @../f of ranks 0, 2
// CHECK-NEXT:  01-listed.txt
// CHECK-NEXT:  02-blocks.txt  changes nothing
// CHECK-NEXT:  03-overlapping-steps.txt  changes nothing
// CHECK-NEXT:  04-updates-in-order.txt  changes nothing
// CHECK-NEXT:  05-joined-updates.txt  changes nothing
// CHECK-NEXT:  06-early-sums.txt  changes nothing
// CHECK-NEXT:  07-agreements.txt  changes nothing
// CHECK-NEXT:  08-buckets.txt  changes nothing
// CHECK-NEXT:  09-shared-buffers.txt
// CHECK-NEXT:  10-live-ranges.txt
// CHECK-NEXT:  11-rotations.txt  changes nothing
// CHECK-NEXT:  12-slots.txt  changes nothing
// CHECK-NEXT:  13-offsets.txt
// CHECK-NEXT:rank-0/g: entry @g of ranks 0, 2
//      CHECK:rank-1/%2E%2E%2Ff: entry @../f of rank 1
//      CHECK:rank-1/g: entry @g of rank 1
//  CHECK-NOT:{{.*}}rank-2{{.*}}

// ENTRY: entry @../f

// A plan that fails leaves the steps that it reached.
// RUN: sed 's/%%unread = nn.get @w/nn.set @w, %%x : !row %%unread = nn.get @w/' %s > %t.bad.mlir
// RUN: not sbpc %t.bad.mlir --emit plan --dump-forms %t.bad -o %t.none 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: FileCheck %s --input-file %t.bad/tasks/steps.txt --check-prefix=REACHED
// RUN: not ls %t.none

//       ERROR: reads @w after it was set
//     REACHED: rank-0/%2E%2E%2Ff:
//     REACHED:   13-offsets.txt
// REACHED-NOT: {{.}}

sbp.machine @three [#sbp.level<"rank" x 3, alpha = 0.0, beta = 0.0>]
!row = tensor<1000xf32>

rank.program @ends on @three ranks [0, 2] {
  nn.parameter @w : !row = #nn.zeros {rank.whole = tensor<1000xf32, #sbp.nd<@three, [B]>>}
  func.func @"../f"(%x: !row {nn.input = "x", rank.whole = tensor<1000xf32, #sbp.nd<@three, [B]>>})
      -> (!row {nn.output = "y", rank.whole = tensor<1000xf32, #sbp.nd<@three, [B]>>}) {
    %y = nn.relu %x : !row
    %z = nn.softmax %y dim 0 : !row
    return %z : !row
  }
  func.func @g(%x: !row {nn.input = "x", rank.whole = tensor<1000xf32, #sbp.nd<@three, [B]>>})
      -> (!row {nn.output = "y", rank.whole = tensor<1000xf32, #sbp.nd<@three, [B]>>}) {
    %unread = nn.get @w : !row
    return %unread : !row
  }
}
rank.program @middle on @three ranks [1] {
  nn.parameter @w : !row = #nn.zeros {rank.whole = tensor<1000xf32, #sbp.nd<@three, [B]>>}
  func.func @"../f"(%x: !row {nn.input = "x", rank.whole = tensor<1000xf32, #sbp.nd<@three, [B]>>})
      -> (!row {nn.output = "y", rank.whole = tensor<1000xf32, #sbp.nd<@three, [B]>>}) {
    %y = nn.relu %x : !row
    %z = nn.softmax %y dim 0 : !row
    return %z : !row
  }
  func.func @g(%x: !row {nn.input = "x", rank.whole = tensor<1000xf32, #sbp.nd<@three, [B]>>})
      -> (!row {nn.output = "y", rank.whole = tensor<1000xf32, #sbp.nd<@three, [B]>>}) {
    %w = nn.get @w : !row
    return %w : !row
  }
}
