// RUN: rm -rf %t
// RUN: sbpc %s --emit plan --dump-forms %t -o %t.json
// RUN: FileCheck %s --input-file %t/5-local-fused.mlir
// RUN: FileCheck %s --input-file %t/tasks/rank-0/f/13-offsets.txt --check-prefix=TASKS

// The exponential moves over the product: %x lives until then instead of %a. The sum of the
// product and of it is written over one of them.

//      CHECK: nn.softmax
// CHECK-NEXT: rank.fused
// CHECK-NEXT: ^bb0
// CHECK-NEXT:   nn.exp
// CHECK-NEXT:   nn.add

//      TASKS: 0  %[[X:[0-9]+]]:x = nn.einsum
// TASKS-NEXT: 1  %[[P:[0-9]+]]:p = nn.softmax
// TASKS-NEXT: 2  %[[B:[0-9]+]]:b = rank.fused(%[[X]]:x, %[[P]]:p)
//      TASKS: %[[B]]:b  temporary {{.*}}  in %[[X]]:x

sbp.machine @one [#sbp.level<"rank" x 1, alpha = 0.0, beta = 0.0>]
!t = tensor<64x64xf32>
rank.program @all on @one ranks [0] {
  func.func @f(%in: !t {nn.input = "in", rank.whole = tensor<64x64xf32, #sbp.nd<@one, [B]>>})
      -> (!t {nn.output = "out", rank.whole = tensor<64x64xf32, #sbp.nd<@one, [B]>>}) {
    %x = nn.einsum "ij,jk->ik" %in, %in : (!t, !t) -> !t
    %a = nn.exp %x : !t
    %p = nn.softmax %in dim 1 : !t
    %b = nn.add %a, %p : (!t, !t) -> !t
    return %b : !t
  }
}
