// RUN: rm -rf %t
// RUN: sbpc %s --emit plan --dump-forms %t -o %t.json
// RUN: FileCheck %s --input-file %t/tasks/rank-0/f/12-slots.txt --check-prefix=BEFORE
// RUN: FileCheck %s --input-file %t/tasks/rank-0/f/13-offsets.txt --check-prefix=AFTER
// RUN: FileCheck %s --input-file %t.json --check-prefix=PLAN

// Offsets count from the end of the parameters. %c lies where %a has lain, since no task needs
// both; scratch memory of kernels has offsets as well.

// BEFORE-NOT:  at
//      AFTER: 0  %2:a = nn.einsum({{.*}})  scratch [[#BYTES:]] bytes  at [[#SCRATCH:]]
//      AFTER: %0:@w  parameter  tensor<32x32xf32>  4096 bytes{{$}}
//      AFTER: %1:x  input {{.*}}  live 0-end  at 0{{$}}
// AFTER-NEXT: %2:a  {{.*}}  live 0-1  at [[#A:]]{{$}}
// AFTER-NEXT: %3:b  {{.*}}  live 1-2  at [[#B:]]{{$}}
// AFTER-NEXT: %4:c  {{.*}}  live 2-end  at [[#A]]{{$}}

// PLAN: "persistentBytes": 4096

sbp.machine @one [#sbp.level<"rank" x 1, alpha = 0.0, beta = 0.0>]
!square = tensor<32x32xf32>

rank.program @all on @one ranks [0] {
  nn.parameter @w : !square = #nn.zeros {rank.whole = tensor<32x32xf32, #sbp.nd<@one, [B]>>}
  func.func @f(%x: !square {nn.input = "x", rank.whole = tensor<32x32xf32, #sbp.nd<@one, [B]>>})
      -> (!square {nn.output = "y", rank.whole = tensor<32x32xf32, #sbp.nd<@one, [B]>>}) {
    %w = nn.get @w : !square
    %a = nn.einsum "ij,jk->ik" %x, %w : (!square, !square) -> !square
    %b = nn.einsum "ij,jk->ik" %a, %w : (!square, !square) -> !square
    %c = nn.einsum "ij,jk->ik" %b, %w : (!square, !square) -> !square
    return %c : !square
  }
}
