// RUN: rm -rf %t
// RUN: sbpc %s --emit plan --dump-forms %t -o %t.json
// RUN: FileCheck %s --input-file %t/tasks/rank-0/step/03-overlapping-steps.txt --check-prefix=BEFORE
// RUN: FileCheck %s --input-file %t/tasks/rank-0/step/04-updates-in-order.txt --check-prefix=AFTER

// The gradient of @v is made before @w is updated, so that both are complete when it is decided
// whether a step is taken.

//      BEFORE: tasks
// BEFORE-NEXT: 0  %4:gw = nn.exp
// BEFORE-NEXT: 1  %5:w2 = nn.sgd
// BEFORE-NEXT: 2  %6:gv = nn.tanh
// BEFORE-NEXT: 3  %7:v2 = nn.sgd
// BEFORE-NEXT: update %0:@w <- %5:w2
//  BEFORE-NOT: gradient

//      AFTER: tasks
// AFTER-NEXT: 0  %4:gw = nn.exp
// AFTER-NEXT: 2  %6:gv = nn.tanh
// AFTER-NEXT: -- updates --
// AFTER-NEXT: 1  %5:w2 = nn.sgd
// AFTER-NEXT: 3  %7:v2 = nn.sgd
// AFTER-NEXT: gradient %4:gw for nn.sgd
// AFTER-NEXT: gradient %6:gv for nn.sgd

sbp.machine @one [#sbp.level<"rank" x 1, alpha = 0.0, beta = 0.0>]
!row = tensor<1000xf32>

rank.program @all on @one ranks [0] {
  nn.parameter @w : !row = #nn.zeros {rank.whole = tensor<1000xf32, #sbp.nd<@one, [B]>>}
  nn.parameter @v : !row = #nn.zeros {rank.whole = tensor<1000xf32, #sbp.nd<@one, [B]>>}
  func.func @step(%g: !row {nn.input = "g", rank.whole = tensor<1000xf32, #sbp.nd<@one, [B]>>},
                  %lr: tensor<f32> {nn.input = "lr", rank.whole = tensor<f32, #sbp.nd<@one, [B]>>}) {
    %w = nn.get @w : !row
    %v = nn.get @v : !row
    %gw = nn.exp %g : !row
    %w2 = nn.sgd %w, %gw, %lr {weight_decay = 0.0 : f64} : (!row, !row, tensor<f32>) -> !row
    nn.set @w, %w2 : !row
    %gv = nn.tanh %g : !row
    %v2 = nn.sgd %v, %gv, %lr {weight_decay = 0.0 : f64} : (!row, !row, tensor<f32>) -> !row
    nn.set @v, %v2 : !row
    return
  }
}
