// RUN: split-file %s %t
// RUN: sbp-opt %t/dear.mlir --sbp-to-boxed | FileCheck %t/dear.mlir
// RUN: sbp-opt %t/between.mlir --sbp-to-boxed | FileCheck %t/between.mlir
// RUN: sbp-opt %t/beside.mlir --sbp-to-boxed | FileCheck %t/beside.mlir
// RUN: sbp-opt %t/idle.mlir --sbp-to-boxed | FileCheck %t/idle.mlir

// The search keeps pins of the results of ops at any cost.

//--- dear.mlir

// Both neighbours split the samples, and would do so without the pin.

sbp.machine @m [#sbp.level<"gpu" x 4, alpha = 1.0e-6, beta = 1.0e-10>]
    device #sbp.device<memory = 1.0e9, bandwidth = 1.0e11, rates = [#sbp.rate<f32, 1.0e12>]>

// CHECK-LABEL: func.func @a_pin_that_no_neighbour_gains_by_is_laid(
//       CHECK:   %[[SPLIT:.*]] = nn.gelu {{.*}}#S0_{{[a-z0-9]+}}>
//       CHECK:   %[[WHOLE:.*]] = sbp.box %[[SPLIT]] {{.*}} to tensor<65536x256xf32, #B_m>
//       CHECK:   %[[AGAIN:.*]] = sbp.box %[[WHOLE]] {{.*}} to tensor<65536x256xf32, #S0_m>
//       CHECK:   nn.tanh %[[AGAIN]]
func.func @a_pin_that_no_neighbour_gains_by_is_laid(
    %x: tensor<65536x256xf32> {nn.input = "x", sbp.pin = #sbp.nd<@m, [S(0)]>})
    -> (tensor<f32> {nn.output = "mean"}) {
  %y = nn.gelu %x : tensor<65536x256xf32>
  %whole = sbp.pin %y : tensor<65536x256xf32> to #sbp.nd<@m, [B]>
  %z = nn.tanh %whole : tensor<65536x256xf32>
  %l = nn.reduce mean %z over [0, 1] : tensor<65536x256xf32> -> tensor<f32>
  return %l : tensor<f32>
}

//--- between.mlir

// An op between two pins may run with either placement, or any other: only its
// operand and its result are pinned.

sbp.machine @m [#sbp.level<"gpu" x 4, alpha = 1.0e-6, beta = 1.0e-10>]
    device #sbp.device<memory = 1.0e9, bandwidth = 1.0e11, rates = [#sbp.rate<f32, 1.0e12>]>

// CHECK-LABEL: func.func @an_op_stands_between_two_pins(
//       CHECK:   %[[COLUMNS:.*]] = sbp.box {{.*}} to tensor<64x256xf32, #S1_m>
//       CHECK:   %[[AGAIN:.*]] = sbp.box %[[COLUMNS]] {{.*}} to tensor<64x256xf32, #S0_m>
//       CHECK:   %[[ROWS:.*]] = nn.gelu %[[AGAIN]] : tensor<64x256xf32, #S0_m>
//       CHECK:   nn.tanh %[[ROWS]]
func.func @an_op_stands_between_two_pins(
    %x: tensor<64x256xf32> {nn.input = "x", sbp.pin = #sbp.nd<@m, [S(0)]>})
    -> (tensor<64x256xf32> {nn.output = "z"}) {
  %columns = sbp.pin %x : tensor<64x256xf32> to #sbp.nd<@m, [S(1)]>
  %y = nn.gelu %columns : tensor<64x256xf32>
  %rows = sbp.pin %y : tensor<64x256xf32> to #sbp.nd<@m, [S(0)]>
  %z = nn.tanh %rows : tensor<64x256xf32>
  return %z : tensor<64x256xf32>
}

//--- beside.mlir

// Only uses of the pin's result depend on it.

sbp.machine @m [#sbp.level<"gpu" x 4, alpha = 1.0e-6, beta = 1.0e-10>]
    device #sbp.device<memory = 1.0e9, bandwidth = 1.0e11, rates = [#sbp.rate<f32, 1.0e12>]>

// CHECK-LABEL: func.func @uses_beside_a_pin_are_free(
//  CHECK-SAME:   %[[X:[a-z0-9]+]]: tensor<65536x256xf32, #S0_m>
//       CHECK:   nn.gelu %[[X]]
//       CHECK:   %[[WHOLE:.*]] = sbp.box %[[X]] {{.*}} to tensor<65536x256xf32, #B_m>
//       CHECK:   sbp.box %[[WHOLE]] {{.*}} to tensor<65536x256xf32, #S0_m>
func.func @uses_beside_a_pin_are_free(
    %x: tensor<65536x256xf32> {nn.input = "x", sbp.pin = #sbp.nd<@m, [S(0)]>})
    -> (tensor<f32> {nn.output = "first"}, tensor<f32> {nn.output = "second"}) {
  %beside = nn.gelu %x : tensor<65536x256xf32>
  %whole = sbp.pin %x : tensor<65536x256xf32> to #sbp.nd<@m, [B]>
  %behind = nn.tanh %whole : tensor<65536x256xf32>
  %first = nn.reduce mean %beside over [0, 1] : tensor<65536x256xf32> -> tensor<f32>
  %second = nn.reduce mean %behind over [0, 1] : tensor<65536x256xf32> -> tensor<f32>
  return %first, %second : tensor<f32>, tensor<f32>
}

//--- idle.mlir

sbp.machine @m [#sbp.level<"gpu" x 4, alpha = 1.0e-6, beta = 1.0e-10>]
    device #sbp.device<memory = 1.0e9, bandwidth = 1.0e11, rates = [#sbp.rate<f32, 1.0e12>]>

// CHECK-LABEL: func.func @a_pin_that_nobody_uses_asks_for_nothing(
//   CHECK-NOT:   sbp.box {{.*}}65536x256xf32
func.func @a_pin_that_nobody_uses_asks_for_nothing(
    %x: tensor<65536x256xf32> {nn.input = "x", sbp.pin = #sbp.nd<@m, [S(0)]>})
    -> (tensor<f32> {nn.output = "mean"}) {
  %whole = sbp.pin %x : tensor<65536x256xf32> to #sbp.nd<@m, [B]>
  %z = nn.tanh %x : tensor<65536x256xf32>
  %l = nn.reduce mean %z over [0, 1] : tensor<65536x256xf32> -> tensor<f32>
  return %l : tensor<f32>
}
