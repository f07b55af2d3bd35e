// RUN: rm -rf %t
// RUN: sbpc %s --target cuda --emit plan --dump-forms %t -o %t.json
// RUN: FileCheck %s --input-file %t/tasks/rank-0/step/04-updates-in-order.txt --check-prefix=BEFORE
// RUN: FileCheck %s --input-file %t/tasks/rank-0/step/05-joined-updates.txt --check-prefix=AFTER
// RUN: sbpc %s --target cpu --emit plan --dump-forms %t.cpu -o %t.json
// RUN: diff %t.cpu/tasks/rank-0/step/04-updates-in-order.txt %t.cpu/tasks/rank-0/step/05-joined-updates.txt

// A GPU updates both parameters by one kernel. A CPU gains nothing by that.

//      BEFORE: -- updates --
// BEFORE-NEXT: 2  %6:w2 = nn.sgd(%0:@w, %4:gw, %3:lr)
// BEFORE-NEXT: 3  %7:v2 = nn.sgd(%1:@v, %5:gv, %3:lr)
// BEFORE-NEXT: gradient

//      AFTER: -- updates --
// AFTER-NEXT: 2  %6:w2, %7:v2 = 2 x nn.sgd(%0:@w, %4:gw, %3:lr, %1:@v, %5:gv, %3:lr)
// AFTER-NEXT: gradient

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
    %gv = nn.softmax %g dim 0 : !row
    %w2 = nn.sgd %w, %gw, %lr {weight_decay = 0.0 : f64} : (!row, !row, tensor<f32>) -> !row
    nn.set @w, %w2 : !row
    %v2 = nn.sgd %v, %gv, %lr {weight_decay = 0.0 : f64} : (!row, !row, tensor<f32>) -> !row
    nn.set @v, %v2 : !row
    return
  }
}
