// RUN: split-file %s %t
// RUN: sbp-opt %t/many-samples.mlir --sbp-to-placed="space=autoddl" | FileCheck %t/many-samples.mlir
// RUN: sbp-opt %t/slow-links.mlir --sbp-to-placed="space=autoddl" | FileCheck %t/slow-links.mlir
// RUN: not sbp-opt %t/zero.mlir --sbp-to-placed="space=autoddl" 2>&1 | FileCheck %t/zero.mlir
// RUN: sbp-opt %t/zero.mlir --sbp-to-placed >/dev/null

// In AutoDDL's space parameters have the placements of their uses, and no op runs twice.

//--- many-samples.mlir

// All devices have the whole weights, and update all of them: gradients are
// all-reduced.

sbp.machine @m [#sbp.level<"gpu" x 4, alpha = 1.0e-6, beta = 1.0e-10>]
    device #sbp.device<memory = 1.0e9, bandwidth = 1.0e11, rates = [#sbp.rate<f32, 1.0e12>]>
// CHECK: nn.parameter @w1 : tensor<256x512xf32, #B_m>
// CHECK: nn.parameter @w2 : tensor<512x256xf32, #B_m>
nn.parameter @w1 : tensor<256x512xf32> = #nn.normal<0.02>
nn.parameter @w2 : tensor<512x256xf32> = #nn.normal<0.02>

// CHECK-LABEL: func.func @train_step(
//       CHECK:   nn.einsum "bi,ij->bj" {{.*}} -> tensor<65536x512xf32, #S0_m>
//       CHECK:   nn.einsum "bj,jk->bk" {{.*}} -> tensor<65536x256xf32, #S0_m>
//       CHECK:   sbp.cast {{.*}}#Psum_{{[a-z0-9]+}}> to tensor<256x512xf32, #B_m>
//       CHECK:   nn.sgd {{.*}} -> tensor<256x512xf32, #B_m>
func.func @loss(%x: tensor<65536x256xf32> {nn.input = "x"})
    -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.sgd} {
  %w1 = nn.get @w1 : tensor<256x512xf32>
  %w2 = nn.get @w2 : tensor<512x256xf32>
  %h = nn.einsum "bi,ij->bj" %x, %w1
      : (tensor<65536x256xf32>, tensor<256x512xf32>) -> tensor<65536x512xf32>
  %g = nn.gelu %h : tensor<65536x512xf32>
  %y = nn.einsum "bj,jk->bk" %g, %w2
      : (tensor<65536x512xf32>, tensor<512x256xf32>) -> tensor<65536x256xf32>
  %l = nn.reduce mean %y over [0, 1] : tensor<65536x256xf32> -> tensor<f32>
  return %l : tensor<f32>
}

//--- slow-links.mlir

// Every op is split, even if communication takes longer than computation.

sbp.machine @m [#sbp.level<"gpu" x 4, alpha = 1.0, beta = 1.0e-3>]
    device #sbp.device<memory = 1.0e9, bandwidth = 1.0e11, rates = [#sbp.rate<f32, 1.0e12>]>
nn.parameter @w : tensor<256x256xf32> = #nn.normal<0.02>

// CHECK-LABEL: func.func @train_step(
//       CHECK:   nn.einsum {{.*}} -> tensor<64x256xf32, #{{S|P}}
//       CHECK:   nn.gelu {{.*}} : tensor<64x256xf32, #S
//       CHECK:   return
func.func @loss(%x: tensor<64x256xf32> {nn.input = "x"})
    -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<256x256xf32>
  %y = nn.einsum "bi,ij->bj" %x, %w
      : (tensor<64x256xf32>, tensor<256x256xf32>) -> tensor<64x256xf32>
  %z = nn.gelu %y : tensor<64x256xf32>
  %l = nn.reduce mean %z over [0, 1] : tensor<64x256xf32> -> tensor<f32>
  return %l : tensor<f32>
}

//--- zero.mlir

// The optimiser's state is pinned in parts and the parameter is whole, so one of them
// has to move.

// CHECK: error: 'func.func' op has no plan in AutoDDL's space, in which parameters lie as ops use them, that agrees with the pins
sbp.machine @m [#sbp.level<"gpu" x 4, alpha = 1.0e-6, beta = 1.0e-10>]
    device #sbp.device<memory = 1.0e9, bandwidth = 1.0e11, rates = [#sbp.rate<f32, 1.0e12>]>
nn.parameter @w : tensor<256x512xf32> = #nn.normal<0.02>
    {sbp.pin = #sbp.nd<@m, [B]>, sbp.state_pin = #sbp.nd<@m, [S(0)]>}
func.func @loss(%x: tensor<64x256xf32> {nn.input = "x"})
    -> (tensor<f32> {nn.output = "loss"})
    attributes {nn.optimizer = #nn.sgd<momentum = 0.9>} {
  %w = nn.get @w : tensor<256x512xf32>
  %y = nn.einsum "bi,ij->bj" %x, %w
      : (tensor<64x256xf32>, tensor<256x512xf32>) -> tensor<64x512xf32>
  %l = nn.reduce mean %y over [0, 1] : tensor<64x512xf32> -> tensor<f32>
  return %l : tensor<f32>
}
