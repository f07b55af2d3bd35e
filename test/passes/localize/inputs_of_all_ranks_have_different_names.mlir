// A name that the program of one rank gives is not the default name of an input of another.
//
// RUN: not sbpc %s --emit plan -o %t.json 2>&1 | FileCheck %s
// RUN: not sbp-interpret %s --random-inputs 2>&1 | FileCheck %s

// CHECK: .mlir:[[# @LINE + 4]]:{{.*}}error: 'func.func' op calls argument 0 "input1", which is the name of argument 1, as that has no 'nn.input'

sbp.machine @m [#sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-11>]
rank.program @first on @m ranks [0] {
  func.func @f(%x: tensor<3xf32> {nn.input = "input1", rank.whole = tensor<3xf32, #sbp.nd<@m, [B]>>}) {
    return
  }
}

rank.program @second on @m ranks [1] {
  func.func @f(%y: tensor<3xf32> {rank.position = 1 : i64, rank.whole = tensor<3xf32, #sbp.nd<@m, [B]>>}) {
    return
  }
}
