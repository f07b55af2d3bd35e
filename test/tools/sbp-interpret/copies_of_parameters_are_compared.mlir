// RUN: not sbp-interpret %s --entry step --fill x=1 2>&1 | FileCheck %s

// The two ranks sum over different samples, and each sets its own sum, so the copies of the
// parameter differ.

sbp.machine @m [#sbp.level<"gpu" x 2, alpha = 2.0e-6, beta = 2.0e-10>]
rank.program @all on @m ranks [0, 1] {
  // CHECK: [[# @LINE + 1]]:3: error: 'nn.parameter' op copies along mesh axis 'gpu' of a tensor placed [B] differ, first at element 0: 1.000000e+00 and 2.000000e+00
  nn.parameter @w : tensor<1xf32> = #nn.zeros {rank.whole = tensor<1xf32, #sbp.nd<@m, [B]>>}
  func.func @step(%x: tensor<1xf32> {nn.input = "x", rank.whole = tensor<2xf32, #sbp.nd<@m, [S(0)]>>}) {
    %begin = rank.offset 2 over ["gpu"] : tensor<i64>
    %number = nn.iota from %begin dim 0 : (tensor<i64>) -> tensor<1xf32>
    %sum = nn.add %x, %number : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    nn.set @w, %sum : tensor<1xf32>
    return
  }
}
