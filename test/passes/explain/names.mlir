// RUN: sbpc explain %s --details | FileCheck %s
// RUN: sbpc explain %s --json | FileCheck %s --check-prefix=JSON
// RUN: sbpc %s --emit placed -o %t.placed.mlir
// RUN: sbpc explain %t.placed.mlir --details | FileCheck %s --check-prefix=PLACED

// The explanation has the names of the text, with lines, for tensors and parameters, for
// the tensors of gradients, and for the parameters of updates.

// CHECK-LABEL: Time of @train_step by layer:
//       CHECK: Ops and movements that take most time:
//       CHECK: 2 x nn.momentum  @first, @second {{.*}} @train_step names.mlir:[[#$FIRST:]]
// CHECK-LABEL: All of @train_step:
//       CHECK:   nn.reduce %loss {{.*}} names.mlir
//       CHECK:   nn.momentum @first {{.*}} names.mlir:[[#$FIRST]]
//       CHECK:   nn.momentum @second {{.*}} names.mlir:[[#$FIRST+1]]
//       CHECK:   move %a {{.*}} names.mlir:[[#CALL:]]
//       CHECK:   move gradient of a {{.*}} names.mlir:[[#CALL+1]]
// CHECK-LABEL: @layer.forward{{$}}
//       CHECK:   nn.einsum %hidden {{.*}} names.mlir:[[#$PRODUCT:]]
//       CHECK:   nn.gelu %active {{.*}} names.mlir:[[#$PRODUCT+2]]
// CHECK-LABEL: @layer.backward{{$}}
//       CHECK:   nn.gelu_grad gradient of hidden {{.*}} names.mlir:[[#$PRODUCT+2]]
//       CHECK:   nn.einsum gradient of x {{.*}} names.mlir:[[#$PRODUCT]]
//       CHECK:   nn.einsum gradient of w {{.*}} names.mlir:[[#$PRODUCT]]

// JSON: "tensor": "@first"

// A printed form has names of its own, those of its file.
// PLACED: nn.momentum {{.*}} names.mlir.tmp.placed.mlir

sbp.machine @m [#sbp.level<"gpu" x 4, alpha = 1.0e-6, beta = 1.0e-9>]
    device #sbp.device<memory = 1.0e9, bandwidth = 1.0e11, rates = [#sbp.rate<f32, 1.0e11>]>
nn.parameter @first : tensor<64x64xf32> = #nn.normal<0.02>
nn.parameter @second : tensor<64x64xf32> = #nn.normal<0.02>

func.func private @layer(%x: tensor<8x64xf32>, %w: tensor<64x64xf32>) -> tensor<8x64xf32> {
  %hidden = nn.einsum "bi,ij->bj" %x, %w
      : (tensor<8x64xf32>, tensor<64x64xf32>) -> tensor<8x64xf32>
  %active = nn.gelu %hidden : tensor<8x64xf32>
  %pinned = sbp.pin %active : tensor<8x64xf32> to #sbp.nd<@m, [S(1)]>
  %result = nn.mul %pinned, %active
      : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
  return %result : tensor<8x64xf32>
}

func.func @loss(%x: tensor<8x64xf32> {nn.input = "x"}) -> (tensor<f32> {nn.output = "loss"})
    attributes {nn.optimizer = #nn.sgd<momentum = 0.9>} {
  %first = nn.get @first : tensor<64x64xf32>
  %second = nn.get @second : tensor<64x64xf32>
  %a = call @layer(%x, %first) : (tensor<8x64xf32>, tensor<64x64xf32>) -> tensor<8x64xf32>
  %b = call @layer(%a, %second) : (tensor<8x64xf32>, tensor<64x64xf32>) -> tensor<8x64xf32>
  %loss = nn.reduce mean %b over [0, 1] : tensor<8x64xf32> -> tensor<f32>
  return %loss : tensor<f32>
}
