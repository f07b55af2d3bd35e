// RUN: rm -rf %t
// RUN: sbpc %S/two_stages.mlir --micro-batches 4 --execute messages --emit plan --dump-forms %t -o %t.json
// RUN: FileCheck %s --input-file %t/tasks/rank-0/train_step/06-early-sums.txt --check-prefix=BEFORE
// RUN: FileCheck %s --input-file %t/tasks/rank-0/train_step/07-agreements.txt --check-prefix=AFTER

// In message-driven execution, the ranks of a group agree on the next block in a buffer of one
// number per block.

// BEFORE: next block by messages in @front, urgencies 2, 0, 0, 1{{$}}
// AFTER: next block by messages in @front, urgencies 2, 0, 0, 1, agreed on in %[[OWN:[0-9]+]]{{$}}
// AFTER: block 3 (0B)
// AFTER: %[[OWN]]  temporary  tensor<4xf32>  16 bytes{{$}}
