// RUN: split-file %s %t
// RUN: sbp-opt %t/ops.mlir --sbp-place=place-by=propagation --sbp-verify-placed | FileCheck %t/ops.mlir
// RUN: sbp-opt %t/ops.mlir --sbp-to-placed | FileCheck %t/ops.mlir
// RUN: sbp-opt %t/ops.mlir --sbp-to-placed=space=autoddl | FileCheck %t/ops.mlir
// RUN: sbp-opt %t/layer.mlir --sbp-to-placed | FileCheck %t/layer.mlir
// RUN: sbp-opt %t/layer.mlir --sbp-to-placed=layers=free | FileCheck %t/layer.mlir
// RUN: sbp-opt %t/training.mlir --sbp-to-placed | FileCheck %t/training.mlir
// RUN: sbp-opt %t/training.mlir --sbp-to-placed=micro-batches=2 2> /dev/null | FileCheck %t/training.mlir --check-prefix=PARTS
// RUN: not sbp-opt %t/training.mlir --sbp-to-placed=micro-batches=4 2>&1 | FileCheck %t/training.mlir --check-prefix=UNEVEN
// RUN: sbp-opt %t/gradient.mlir --sbp-to-placed | FileCheck %t/gradient.mlir
// RUN: not sbp-opt %t/uneven_gradient.mlir --sbp-to-placed 2>&1 | FileCheck %t/uneven_gradient.mlir
// RUN: sbp-opt %t/stages.mlir --sbp-to-placed | FileCheck %t/stages.mlir
// RUN: sed 's/(S(1)) -> (S(1))\]/(S(1)) -> (S(1)), (B) -> (B)]/' %t/stages.mlir > %t/axes.mlir
// RUN: not sbp-opt %t/axes.mlir --sbp-to-placed 2>&1 | FileCheck %t/stages.mlir --check-prefix=AXES

// An op with sbp.signature runs by it, whatever would be faster. Its operands are moved
// before it, and its results after it.

//--- ops.mlir

sbp.machine @m [#sbp.level<"gpu" x 4, alpha = 1.0e-6, beta = 1.0e-10>]
    device #sbp.device<memory = 1.0e9, bandwidth = 1.0e11, rates = [#sbp.rate<f32, 1.0e12>]>

//   CHECK-NOT: sbp.signature
// CHECK-LABEL: func.func @operands_are_moved_before_and_results_after(
//       CHECK:   %[[X:.*]] = nn.gelu {{.*}}#S0_m>
//       CHECK:   %[[COLUMNS:.*]] = sbp.cast %[[X]] {{.*}} to tensor<4096x256xf32, #S1_m>
//       CHECK:   %[[TERMS:.*]] = nn.einsum {{.*}} %[[COLUMNS]], {{.*}}#S1_m>, tensor<256x64xf32, #S0_m>) -> tensor<4096x64xf32, #Psum_m>
//       CHECK:   %[[WHOLE:.*]] = sbp.cast %{{.*}} to tensor<4096x64xf32, #B_m>
//       CHECK:   nn.tanh %[[WHOLE]] {{.*}}#B_m>
func.func @operands_are_moved_before_and_results_after(
    %x: tensor<4096x256xf32> {nn.input = "x", sbp.pin = #sbp.nd<@m, [S(0)]>},
    %w: tensor<256x64xf32> {nn.input = "w", sbp.pin = #sbp.nd<@m, [B]>})
    -> (tensor<4096x64xf32> {nn.output = "y"}) {
  %g = nn.gelu %x {sbp.signature = #sbp.signature<[(S(0)) -> (S(0))]>} : tensor<4096x256xf32>
  %y = nn.einsum "bi,ij->bj" %g, %w {sbp.signature = #sbp.signature<[(S(1), S(0)) -> (P(sum))]>}
      : (tensor<4096x256xf32>, tensor<256x64xf32>) -> tensor<4096x64xf32>
  %z = nn.tanh %y {sbp.signature = #sbp.signature<[(B) -> (B)]>} : tensor<4096x64xf32>
  return %z : tensor<4096x64xf32>
}

//--- layer.mlir

// A pin in a layer holds for all its calls.

sbp.machine @m [#sbp.level<"gpu" x 4, alpha = 1.0e-6, beta = 1.0e-10>]
    device #sbp.device<memory = 1.0e9, bandwidth = 1.0e11, rates = [#sbp.rate<f32, 1.0e12>]>

// CHECK-LABEL: func.func private @layer(
//       CHECK:   nn.gelu {{.*}} tensor<4096x64xf32, #S1_m>
func.func private @layer(%x: tensor<4096x64xf32>) -> tensor<4096x64xf32> {
  %y = nn.gelu %x {sbp.signature = #sbp.signature<[(S(1)) -> (S(1))]>} : tensor<4096x64xf32>
  return %y : tensor<4096x64xf32>
}
func.func @twice(%x: tensor<4096x64xf32> {nn.input = "x", sbp.pin = #sbp.nd<@m, [S(0)]>})
    -> (tensor<4096x64xf32> {nn.output = "y"}) {
  %a = call @layer(%x) : (tensor<4096x64xf32>) -> tensor<4096x64xf32>
  %s = nn.softmax %a dim 1 : tensor<4096x64xf32>
  %b = call @layer(%s) : (tensor<4096x64xf32>) -> tensor<4096x64xf32>
  return %b : tensor<4096x64xf32>
}

//--- training.mlir

// Gradients follow the op that is pinned. In micro-batches the pin holds for each of them: a
// loop that must be split into equal parts has fewer iterations then.

sbp.machine @m [#sbp.level<"gpu" x 4, alpha = 1.0e-6, beta = 1.0e-10>]
    device #sbp.device<memory = 1.0e9, bandwidth = 1.0e11, rates = [#sbp.rate<f32, 1.0e12>]>
nn.parameter @w : tensor<64x64xf32> = #nn.normal<0.1>

// CHECK-LABEL: func.func @train_step(
//       CHECK:   nn.einsum "bi,ij->bj" {{.*}}tensor<8x64xf32, #S1_m>, tensor<64x64xf32, #S0_m>) -> tensor<8x64xf32, #Psum_m>
//       CHECK:   nn.reshape {{.*}}tensor<8x64xf32, #S0_m> -> tensor<512xf32, #S0_m>
//       CHECK:   nn.einsum {{.*}} -> tensor<64x64xf32, #S0_m>
// PARTS-LABEL: func.func private @train_step.part(
//       PARTS:   nn.einsum "bi,ij->bj" {{.*}}tensor<4x64xf32, #S1_m>, tensor<64x64xf32, #S0_m>) -> tensor<4x64xf32, #Psum_m>
//       PARTS:   nn.reshape {{.*}}tensor<4x64xf32, #S0_m> -> tensor<256xf32, #S0_m>
//      UNEVEN: training.mlir:[[#@LINE + 6]]:8: error: 'nn.reshape' op splits an extent of 2 over 4 devices, but must split it into equal parts
func.func @loss(%x: tensor<8x64xf32> {nn.input = "x"}) -> (tensor<f32> {nn.output = "loss"})
    attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<64x64xf32>
  %y = nn.einsum "bi,ij->bj" %x, %w {sbp.signature = #sbp.signature<[(S(1), S(0)) -> (P(sum))]>}
      : (tensor<8x64xf32>, tensor<64x64xf32>) -> tensor<8x64xf32>
  %r = nn.reshape %y {sbp.signature = #sbp.signature<[(S(0)) -> (S(0))]>} : tensor<8x64xf32> -> tensor<512xf32>
  %g = nn.gelu %r : tensor<512xf32>
  %l = nn.reduce mean %g over [0] : tensor<512xf32> -> tensor<f32>
  return %l : tensor<f32>
}

//--- gradient.mlir

// In the differentiated form, an op that computes a gradient may be pinned to another
// signature than the one that follows from its forward op.

sbp.machine @m [#sbp.level<"gpu" x 4, alpha = 1.0e-6, beta = 1.0e-10>]
    device #sbp.device<memory = 1.0e9, bandwidth = 1.0e11, rates = [#sbp.rate<f32, 1.0e12>]>

//       CHECK: nn.gelu {{.*}} tensor<8x64xf32, #S0_m>
//       CHECK: nn.gelu_grad {{.*}}tensor<8x64xf32, #S1_m>
func.func @gradient(%x: tensor<8x64xf32> {nn.input = "x"}, %dy: tensor<8x64xf32> {nn.input = "dy"})
    -> (tensor<8x64xf32> {nn.output = "y"}, tensor<8x64xf32> {nn.output = "dx"}) {
  %y = nn.gelu %x {nn.id = 0 : i64, sbp.signature = #sbp.signature<[(S(0)) -> (S(0))]>} : tensor<8x64xf32>
  %dx = nn.gelu_grad %x, %dy {nn.adjoint_of = 0 : i64, sbp.signature = #sbp.signature<[(S(1), S(1)) -> (S(1))]>}
      : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
  return %y, %dx : tensor<8x64xf32>, tensor<8x64xf32>
}

//--- uneven_gradient.mlir

// An op that computes a gradient is placed like its forward op, if it can be: this one must
// split its rows into equal parts.

sbp.machine @m [#sbp.level<"gpu" x 4, alpha = 1.0e-6, beta = 1.0e-10>]
    device #sbp.device<memory = 1.0e9, bandwidth = 1.0e11, rates = [#sbp.rate<f32, 1.0e12>]>

func.func @gradient(%x: tensor<6x64xf32> {nn.input = "x"})
    -> (tensor<6x64xf32> {nn.output = "y"}, tensor<384xf32> {nn.output = "dx"}) {
  // CHECK: uneven_gradient.mlir:[[#@LINE + 1]]:8: error: 'nn.gelu' op is pinned to signatures by which it, or an op that computes gradients for it, cannot run on this mesh
  %y = nn.gelu %x {nn.id = 0 : i64, sbp.signature = #sbp.signature<[(S(0)) -> (S(0))]>} : tensor<6x64xf32>
  %dx = nn.reshape %x {nn.adjoint_of = 0 : i64} : tensor<6x64xf32> -> tensor<384xf32>
  return %y, %dx : tensor<6x64xf32>, tensor<384xf32>
}

//--- stages.mlir

// A pin in a stage is one on the mesh of its group.

sbp.machine @host [#sbp.level<"cpu" x 3, alpha = 1.0e-6, beta = 1.0e-9>]
    device #sbp.device<memory = 1.0e10, bandwidth = 1.0e10, rates = [#sbp.rate<f32, 1.0e11>]>
sbp.mesh @front of @host ranks [2, 0] [#sbp.axis<"data" x 2 in "cpu">]
sbp.mesh @back of @host ranks [1] [#sbp.axis<"one" x 1 in "cpu">]
sbp.stages [@front, @back]

// AXES: error: 'nn.gelu' op is pinned to 2 signatures, but @front has 1 axis; a pin has one per axis
// CHECK-LABEL: func.func private @predict.stage0
//       CHECK:   nn.gelu {{.*}} tensor<8x64xf32, #S1_front>
// CHECK-LABEL: func.func private @predict.stage1
//       CHECK:   nn.tanh {{.*}} tensor<8x64xf32, #{{S0|B}}_back>
func.func @predict(%x: tensor<8x64xf32> {nn.input = "x"}) -> (tensor<8x64xf32> {nn.output = "y"}) {
  %y = nn.gelu %x {sbp.stage = 0, sbp.signature = #sbp.signature<[(S(1)) -> (S(1))]>} : tensor<8x64xf32>
  %z = nn.tanh %y {sbp.stage = 1} : tensor<8x64xf32>
  return %z : tensor<8x64xf32>
}
