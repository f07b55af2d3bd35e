// RUN: split-file %s %t
// RUN: sbp-opt %t/set.mlir --sbp-cut-stages | FileCheck %t/set.mlir
// RUN: sbp-opt %t/set.mlir --sbp-to-local 2> /dev/null > %t/local.mlir
// RUN: sbp-interpret %t/set.mlir --entry step --fill x=1 --times 2 > %t/whole.txt
// RUN: sbp-interpret %t/local.mlir --entry step --fill x=1 --times 2 > %t/ranks.txt
// RUN: cmp %t/whole.txt %t/ranks.txt
// RUN: not sbp-opt %t/loss.mlir --sbp-differentiate --sbp-cut-stages 2>&1 | FileCheck %t/loss.mlir

//--- set.mlir

// One stage computes the new value of @c without reading @c; another stage reads the
// result of the first one.

// CHECK-LABEL: func.func private @step.stage1(
//   CHECK-NOT: nn.set
// CHECK-LABEL: func.func @step(
//       CHECK:   call @step.stage0(
//       CHECK:   %[[MADE:.*]]:3 = call @step.stage1(
//       CHECK:   nn.set @c, %[[MADE]]#
//       CHECK:   nn.set @d, %[[MADE]]#

sbp.machine @host [#sbp.level<"rank" x 2, alpha = 2.0e-6, beta = 2.0e-10>]
sbp.mesh @g0 of @host ranks [0] [#sbp.axis<"a" x 1 in "rank">]
sbp.mesh @g1 of @host ranks [1] [#sbp.axis<"a" x 1 in "rank">]
sbp.stages [@g0, @g1]
nn.parameter @w : tensor<4x4xf32> = #nn.constant<0.5>
nn.parameter @c : tensor<4x4xf32> = #nn.zeros {state}
nn.parameter @d : tensor<4x4xf32> = #nn.ones {state}
func.func @step(%x: tensor<8x4xf32> {nn.input = "x"}) -> (tensor<8x4xf32> {nn.output = "y"}) {
  %w = nn.get @w : tensor<4x4xf32>
  %d = nn.get @d : tensor<4x4xf32>
  %h = nn.einsum "bi,ij->bj" %x, %d {sbp.stage = 0} : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  %k = nn.einsum "bi,ij->bj" %h, %w {sbp.stage = 1} : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  %n = nn.add %w, %w {sbp.stage = 1} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  nn.set @c, %n {sbp.stage = 1} : tensor<4x4xf32>
  %m = nn.mul %w, %n {sbp.stage = 1} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  nn.set @d, %m : tensor<4x4xf32>
  return %k : tensor<8x4xf32>
}

//--- loss.mlir

// CHECK: error: 'func.func' op is the training step of a loss that was not cut into stages; run --sbp-cut-stages before --sbp-differentiate

sbp.machine @host [#sbp.level<"rank" x 2, alpha = 2.0e-6, beta = 2.0e-10>]
sbp.mesh @g0 of @host ranks [0] [#sbp.axis<"a" x 1 in "rank">]
sbp.mesh @g1 of @host ranks [1] [#sbp.axis<"a" x 1 in "rank">]
sbp.stages [@g0, @g1]
nn.parameter @w : tensor<4x4xf32> = #nn.normal<0.5>
func.func @loss(%x: tensor<8x4xf32> {nn.input = "x"}, %y: tensor<8x4xf32> {nn.input = "y"})
    -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.adam} {
  %w = nn.get @w : tensor<4x4xf32>
  %h = nn.einsum "bi,ij->bj" %x, %w {sbp.stage = 0} : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  %l = nn.mse %h, %y {sbp.stage = 1} : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<f32>
  return %l : tensor<f32>
}
