// RUN: rm -rf %t
// RUN: sbpc %s --emit plan --dump-forms %t -o %t.json
// RUN: FileCheck %s --input-file %t/tasks/rank-0/f/09-shared-buffers.txt --check-prefix=BEFORE
// RUN: FileCheck %s --input-file %t/tasks/rank-0/f/10-live-ranges.txt --check-prefix=AFTER

// A buffer is live from the task that writes it to the last one that reads it, with the buffers
// that share its memory; what a loop reads, until the loop ends; an input all the time, and an
// output until the end.

// BEFORE-NOT: live
//      AFTER: 0  %1:a = nn.einsum
// AFTER-NEXT: 1  %2:b = nn.softmax(%1:a)
// AFTER-NEXT: loop, iterations: 3
//      AFTER: 2  %4:once = nn.softmax(%1:a)
// AFTER-NEXT: 3  %5:more = nn.add(%3:all, %4:once)
// AFTER-NEXT: 5  %6:sum = nn.add(%3:all, %2:b)
//      AFTER: %0:x  input {{.*}} bytes  live 0-end{{$}}
// AFTER-NEXT: %1:a  temporary {{.*}} bytes  live 0-3{{$}}
// AFTER-NEXT: %2:b  temporary {{.*}} bytes  live 1-5{{$}}
// AFTER-NEXT: %3:all  temporary {{.*}} bytes  live 2-end{{$}}
// AFTER-NEXT: %4:once  temporary {{.*}} bytes  live 2-3{{$}}
// AFTER-NEXT: %5:more  temporary {{.*}} bytes  in %3:all{{$}}
// AFTER-NEXT: %6:sum  temporary {{.*}} bytes  in %3:all{{$}}

sbp.machine @one [#sbp.level<"rank" x 1, alpha = 0.0, beta = 0.0>]
!square = tensor<32x32xf32>

rank.program @all on @one ranks [0] {
  func.func private @add(%x: !square, %sum: !square) -> !square {
    %once = nn.softmax %x dim 0 : !square
    %more = nn.add %sum, %once : (!square, !square) -> !square
    return %more : !square
  }
  func.func @f(%x: !square {nn.input = "x", rank.whole = tensor<32x32xf32, #sbp.nd<@one, [B]>>})
      -> (!square {nn.output = "y", rank.whole = tensor<32x32xf32, #sbp.nd<@one, [B]>>}) {
    %a = nn.einsum "ij,jk->ik" %x, %x : (!square, !square) -> !square
    %b = nn.softmax %a dim 1 : !square
    %all = nn.repeat 3 @add(%a) : (!square) -> !square
    %sum = nn.add %all, %b : (!square, !square) -> !square
    return %sum : !square
  }
}
