// RUN: not sbpc %s -o %t 2>&1 | FileCheck %s
// RUN: not ls %t
// RUN: not sbpc %s --emit plan -o %t 2>&1 | FileCheck %s

// The programs of all ranks are proven together before anything is written. Here each rank
// needs a message that the other one sends only after its own receive.

// CHECK: error: the programs of the ranks fail when they are run together: entry "f": ranks wait for one another, so that none goes on: rank 0 (task 1) waits for transfer1 of rank 1, which starts to send it later (task 2); rank 1 (task 1) waits for transfer0 of rank 0, which starts to send it later (task 2)

sbp.machine @host [#sbp.level<"rank" x 2, alpha = 1.0e-6, beta = 1.0e-9>]
sbp.mesh @front of @host ranks [0] [#sbp.axis<"one" x 1 in "rank">]
sbp.mesh @back of @host ranks [1] [#sbp.axis<"one" x 1 in "rank">]
sbp.stages [@front, @back]
rank.transfer @transfer0 : tensor<4xf32, #sbp.nd<@front, [B]>> to tensor<4xf32, #sbp.nd<@back, [B]>>
rank.transfer @transfer1 : tensor<4xf32, #sbp.nd<@back, [B]>> to tensor<4xf32, #sbp.nd<@front, [B]>>
rank.program @ranks_like_0 on @host ranks [0] {
  func.func @f(%x: tensor<4xf32> {nn.input = "x", rank.whole = tensor<4xf32, #sbp.nd<@front, [B]>>}) {
    %g = rank.receive through @transfer1 : tensor<4xf32>
    rank.send %x through @transfer0 : tensor<4xf32>
    return
  }
}
rank.program @ranks_like_1 on @host ranks [1] {
  func.func @f() -> (tensor<4xf32> {nn.output = "y", rank.whole = tensor<4xf32, #sbp.nd<@back, [B]>>}) {
    %h = rank.receive through @transfer0 : tensor<4xf32>
    rank.send %h through @transfer1 : tensor<4xf32>
    return %h : tensor<4xf32>
  }
}
