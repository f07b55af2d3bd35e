// RUN: rm -rf %t
// RUN: sbpc %s --emit plan --dump-forms %t -o %t.json
// RUN: FileCheck %s --input-file %t/tasks/rank-0/step/08-buckets.txt --check-prefix=BEFORE
// RUN: FileCheck %s --input-file %t/tasks/rank-0/step/09-shared-buffers.txt --check-prefix=AFTER

// A new value is written over the parameter, a result over an operand that no later task
// reads, and a sum over its last value. Copies of these go, and so does the update. The input
// stays, and so does what is read again. An old value that is an output is copied first.

//      BEFORE: carries %6:all <- %7:more
// BEFORE-NEXT: 2  %7:more = nn.add(%6:all, %5:b)  call 1
// BEFORE-NEXT: 3  %6:all = copy(%7:more)
//      BEFORE: -- updates --
// BEFORE-NEXT: 5  %9:w2 = nn.sgd(%0:@w, %8:gw, %3:lr)
//      BEFORE: update %0:@w <- %9:w2
// BEFORE-NEXT: update %1:@v <- %8:gw
// BEFORE-NEXT: output %1:@v
//  BEFORE-NOT:   in %

//      AFTER: carries %6:all <- %7:more
// AFTER-NEXT: 2  %7:more = nn.add(%6:all, %5:b)  call 1
// AFTER-NEXT: 4  %8:gw = nn.mul
// AFTER-NEXT: -- updates --
// AFTER-NEXT: 5  %9:w2 = nn.sgd(%0:@w, %8:gw, %3:lr)
// AFTER-NEXT: 6  %10 = copy(%1:@v)
// AFTER-NEXT: 7  %1:@v = copy(%8:gw)
//  AFTER-NOT: update %
//      AFTER: output %10
//      AFTER: %4:a  temporary  tensor<1000xf32>  4000 bytes{{$}}
// AFTER-NEXT: %5:b  temporary  tensor<1000xf32>  4000 bytes  in %4:a
// AFTER-NEXT: %6:all  temporary  tensor<1000xf32>  4000 bytes{{$}}
// AFTER-NEXT: %7:more  temporary  tensor<1000xf32>  4000 bytes  in %6:all
// AFTER-NEXT: %8:gw  temporary  tensor<1000xf32>  4000 bytes  in %6:all
// AFTER-NEXT: %9:w2  temporary  tensor<1000xf32>  4000 bytes  in %0:@w
// AFTER-NEXT: %10  temporary  tensor<1000xf32>  4000 bytes{{$}}

sbp.machine @one [#sbp.level<"rank" x 1, alpha = 0.0, beta = 0.0>]
!row = tensor<1000xf32>

rank.program @all on @one ranks [0] {
  nn.parameter @w : !row = #nn.zeros {rank.whole = tensor<1000xf32, #sbp.nd<@one, [B]>>}
  nn.parameter @v : !row = #nn.zeros {rank.whole = tensor<1000xf32, #sbp.nd<@one, [B]>>}
  func.func private @add(%x: !row, %sum: !row) -> !row {
    %more = nn.add %sum, %x : (!row, !row) -> !row
    return %more : !row
  }
  func.func @step(%g: !row {nn.input = "g", rank.whole = tensor<1000xf32, #sbp.nd<@one, [B]>>},
                  %lr: tensor<f32> {nn.input = "lr", rank.whole = tensor<f32, #sbp.nd<@one, [B]>>})
      -> (!row {nn.output = "old", rank.whole = tensor<1000xf32, #sbp.nd<@one, [B]>>}) {
    %w = nn.get @w : !row
    %v = nn.get @v : !row
    %a = nn.exp %g : !row
    %b = nn.softmax %a dim 0 : !row
    %all = nn.repeat 3 @add(%b) : (!row) -> !row
    %gw = nn.mul %all, %w : (!row, !row) -> !row
    %w2 = nn.sgd %w, %gw, %lr {weight_decay = 0.0 : f64} : (!row, !row, tensor<f32>) -> !row
    nn.set @w, %w2 : !row
    nn.set @v, %gw : !row
    return %v : !row
  }
}
