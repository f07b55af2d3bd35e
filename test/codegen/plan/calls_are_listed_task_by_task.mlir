// RUN: rm -rf %t
// RUN: sbpc %s --emit plan --dump-forms %t -o %t.json
// RUN: FileCheck %s --input-file %t/tasks/rank-0/step/01-listed.txt --match-full-lines --strict-whitespace

// The first list has the tasks of all calls. A function that is called twice stands there
// twice, and a repeated one once, with copies of what it carries to the next iteration. A
// reshape is no task. Buffers have the names of their tensors.

//      CHECK:entry @step
// CHECK-NEXT:  call 1: @double, from call 0
// CHECK-NEXT:  call 2: @double, from call 0
// CHECK-NEXT:  call 3: @add, from call 0
// CHECK-NEXT:tasks
// CHECK-NEXT:     0  %2:twice = nn.add(%1:g, %1:g)  call 1
// CHECK-NEXT:     1  %3:twice = nn.add(%2:twice, %2:twice)  call 2
// CHECK-NEXT:  loop, iterations: 3
// CHECK-NEXT:    carries %4:all <- %5:more
// CHECK-NEXT:       2  %5:more = nn.add(%4:all, %3:twice)  call 3
// CHECK-NEXT:       3  %4:all = copy(%5:more)
// CHECK-NEXT:update %0:@w <- %4:all
// CHECK-NEXT:output %2:twice
// CHECK-NEXT:buffers
// CHECK-NEXT:  %0:@w  parameter  tensor<1000xf32>  4000 bytes
// CHECK-NEXT:  %1:g  input  tensor<1000xf32>  4000 bytes
// CHECK-NEXT:  %2:twice  temporary  tensor<1000xf32>  4000 bytes
// CHECK-NEXT:  %3:twice  temporary  tensor<1000xf32>  4000 bytes
// CHECK-NEXT:  %4:all  temporary  tensor<1000xf32>  4000 bytes
// CHECK-NEXT:  %5:more  temporary  tensor<1000xf32>  4000 bytes
//  CHECK-NOT:{{.}}

sbp.machine @one [#sbp.level<"rank" x 1, alpha = 0.0, beta = 0.0>]
!row = tensor<1000xf32>

rank.program @all on @one ranks [0] {
  nn.parameter @w : !row = #nn.zeros {rank.whole = tensor<1000xf32, #sbp.nd<@one, [B]>>}
  func.func private @double(%x: !row) -> !row {
    %twice = nn.add %x, %x : (!row, !row) -> !row
    return %twice : !row
  }
  func.func private @add(%x: !row, %sum: !row) -> !row {
    %more = nn.add %sum, %x : (!row, !row) -> !row
    return %more : !row
  }
  func.func @step(%g: !row {nn.input = "g", rank.whole = tensor<1000xf32, #sbp.nd<@one, [B]>>})
      -> (tensor<10x100xf32> {nn.output = "two", rank.whole = tensor<10x100xf32, #sbp.nd<@one, [B]>>}) {
    %two = call @double(%g) : (!row) -> !row
    %four = call @double(%two) : (!row) -> !row
    %all = nn.repeat 3 @add(%four) : (!row) -> !row
    nn.set @w, %all : !row
    %matrix = nn.reshape %two : !row -> tensor<10x100xf32>
    return %matrix : tensor<10x100xf32>
  }
}
