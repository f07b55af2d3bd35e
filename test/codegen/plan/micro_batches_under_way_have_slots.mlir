// RUN: rm -rf %t
// RUN: sbpc %S/two_stages.mlir --micro-batches 4 --schedule 1f1b --emit plan --dump-forms %t -o %t.json
// RUN: FileCheck %s --input-file %t/tasks/rank-0/train_step/11-rotations.txt --check-prefix=BEFORE
// RUN: FileCheck %s --input-file %t/tasks/rank-0/train_step/12-slots.txt --check-prefix=AFTER
// RUN: sbpc %S/two_stages.mlir --micro-batches 4 --schedule gpipe --emit plan --dump-forms %t.all -o %t.json
// RUN: FileCheck %s --input-file %t.all/tasks/rank-0/train_step/12-slots.txt --check-prefix=ALL

// By 1F1B two micro-batches are under way in stage 0, and by GPipe all four. The forward saves
// its input for the backward. Buffers that one block alone uses have no slots.

// BEFORE-NOT: slots
//     BEFORE: order 0:0
//     BEFORE: :part_of_x  temporary {{.*}}  512 bytes  live 0-7{{$}}

//      AFTER: order 0:0
//      AFTER: slots: 2 of 512 bytes  blocks 0, 3  live 0-8{{$}}
// AFTER-NEXT: %[[#X:]]:part_of_x
//      AFTER: %[[#X]]:part_of_x  temporary {{.*}}  512 bytes  in slots{{$}}
//      AFTER: :gradient_of_w0  temporary {{.*}}  256 bytes  live 7-8{{$}}

//      ALL: slots: 4 of 512 bytes  blocks 0, 3  live 0-8{{$}}
// ALL-NEXT: :part_of_x
