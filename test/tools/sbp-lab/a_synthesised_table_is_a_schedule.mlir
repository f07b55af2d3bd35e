// A table that --output writes is read back, and runs a program.

// RUN: sbp-lab schedule --family 1f1b --stages 2 --micro-batches 3 --forward 1,2 --backward 3,2 --synthesise --cap 3 --output %t.csv | FileCheck %s
// RUN: sbp-lab schedule --table %t.csv --forward 1,2 --backward 3,2 | FileCheck %s --check-prefix=BACK
// RUN: sbp-opt %s --sbp-schedule-stages=schedule=%t.csv | FileCheck %s --check-prefix=PROGRAM

//   CHECK: makespan 16
//   CHECK: bound of orders 16, gap 0 %, proven: none is faster
//    BACK: makespan 16
// PROGRAM: sbp.schedule [
// PROGRAM:   @front "0F0,
// PROGRAM:   @back "1F0,

sbp.machine @host [#sbp.level<"cpu" x 3, alpha = 1.0e-6, beta = 1.0e-9>]
sbp.mesh @front of @host ranks [2, 0] [#sbp.axis<"data" x 2 in "cpu">]
sbp.mesh @back of @host ranks [1] [#sbp.axis<"one" x 1 in "cpu">]
sbp.stages [@front, @back]

nn.parameter @w : tensor<8x8xf32> = #nn.normal<0.1>

func.func @loss(%x: tensor<6x8xf32> {nn.input = "x"}, %y: tensor<6x8xf32> {nn.input = "y"})
    -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<8x8xf32>
  %h = nn.einsum "bi,ij->bj" %x, %w {sbp.stage = 0} : (tensor<6x8xf32>, tensor<8x8xf32>) -> tensor<6x8xf32>
  %loss = nn.mse %h, %y {sbp.stage = 1} : (tensor<6x8xf32>, tensor<6x8xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}
