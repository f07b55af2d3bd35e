// RUN: rm -rf %t
// RUN: sbpc %s --cpu haswell --emit plan --dump-forms %t -o %t.json
// RUN: FileCheck %s --input-file %t/tasks/rank-0/f/12-slots.txt --check-prefix=BEFORE
// RUN: cat %t/tasks/rank-0/f/13-offsets.txt %t.json | FileCheck %s --check-prefix=AFTER

// Offsets count from the end of the parameters. %c lies where %a has lain, since no task needs
// both; scratch memory of kernels has offsets as well.

// BEFORE-NOT: {{ at [0-9]}}
//      AFTER: 0  %2:a = nn.einsum({{.*}})  scratch [[#BYTES:]] bytes  at [[#SCRATCH:]]
//      AFTER: %0:@w  parameter  tensor<256x256xf32>  262144 bytes{{$}}
//      AFTER: %1:x  input {{.*}}  live 0-end  at [[#X:]]{{$}}
// AFTER-NEXT: %2:a  {{.*}}  live 0-1  at [[#A:]]{{$}}
// AFTER-NEXT: %3:b  {{.*}}  live 1-2  at [[#B:]]{{$}}
// AFTER-NEXT: %4:c  {{.*}}  live 2-end  at [[#A]]{{$}}
//      AFTER: "persistentBytes": 262144
//      AFTER: [[#X+262144]], 0, [[#A+262144]], [[#SCRATCH+262144]]

sbp.machine @one [#sbp.level<"rank" x 1, alpha = 0.0, beta = 0.0>]
!square = tensor<256x256xf32>

rank.program @all on @one ranks [0] {
  nn.parameter @w : !square = #nn.zeros {rank.whole = tensor<256x256xf32, #sbp.nd<@one, [B]>>}
  func.func @f(%x: !square {nn.input = "x", rank.whole = tensor<256x256xf32, #sbp.nd<@one, [B]>>})
      -> (!square {nn.output = "y", rank.whole = tensor<256x256xf32, #sbp.nd<@one, [B]>>}) {
    %w = nn.get @w : !square
    %a = nn.einsum "ij,jk->ik" %x, %w : (!square, !square) -> !square
    %b = nn.einsum "ij,jk->ik" %a, %w : (!square, !square) -> !square
    %c = nn.einsum "ij,jk->ik" %b, %w : (!square, !square) -> !square
    return %c : !square
  }
}
