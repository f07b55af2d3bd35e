// RUN: not sbp-opt %s --sbp-to-local 2>&1 | FileCheck %s
// RUN: not sbp-opt %s --sbp-to-local --mlir-print-op-on-diagnostic 2>&1 | FileCheck %s --check-prefix=OP

// An error has no copy of the program, unless an option asks for it.

//     CHECK: error: {{.*}}machine
// CHECK-NOT: see current operation
// CHECK-NOT: func.func
//        OP: see current operation

func.func @f(%x: tensor<4xf32> {nn.input = "x"}) -> (tensor<4xf32> {nn.output = "y"}) {
  %y = nn.relu %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
