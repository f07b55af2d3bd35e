// What the programs of ranks say of a parameter has to be the same.
//
// RUN: sbpc %s --emit plan -o %t.json
// RUN: sed 's/#nn.ones {/#nn.zeros {/' %s > %t.value.mlir
// RUN: not sbpc %t.value.mlir --emit plan -o %t.json 2>&1 | FileCheck %s
// RUN: sed 's/#nn.ones {/#nn.ones {frozen, /' %s > %t.frozen.mlir
// RUN: not sbpc %t.frozen.mlir --emit plan -o %t.json 2>&1 | FileCheck %s

// CHECK: .mlir:[[# @LINE + 12]]:{{.*}}error: 'rank.program' op has other parameters or entries than @first
// CHECK: .mlir:[[# @LINE + 3]]:{{.*}}note: the other program

sbp.machine @m [#sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-11>]
rank.program @first on @m ranks [0] {
  nn.parameter @w : tensor<3xf32> = #nn.ones{rank.whole = tensor<3xf32, #sbp.nd<@m, [B]>>}
  func.func @f() -> (tensor<3xf32> {nn.output = "y", rank.whole = tensor<3xf32, #sbp.nd<@m, [B]>>}) {
    %w = nn.get @w : tensor<3xf32>
    return %w : tensor<3xf32>
  }
}

rank.program @second on @m ranks [1] {
  nn.parameter @w : tensor<3xf32> = #nn.ones {rank.whole = tensor<3xf32, #sbp.nd<@m, [B]>>}
  func.func @f() -> (tensor<3xf32> {nn.output = "y", rank.whole = tensor<3xf32, #sbp.nd<@m, [B]>>}) {
    %w = nn.get @w : tensor<3xf32>
    return %w : tensor<3xf32>
  }
}
