// A function that reads a parameter may be called in several stages: the parameter becomes an
// argument, which comes from the group on which it lies.

// RUN: sbpc %s --stages 2 --micro-batches 2 --schedule gpipe --emit logical | FileCheck %s
// RUN: sbpc %s --stages 2 --micro-batches 2 --schedule zb-h1 --keep inputs --emit placed -o %t
// RUN: sbpc %s --plan --emit placed -o %t

//       CHECK: func.func private @outer(%x: {{.*}}, %w: tensor<64x64xf32>, %b: tensor<64xf32>)
//   CHECK-NOT: nn.get
//       CHECK: call @inner(%x, %w)
//       CHECK: nn.add %{{.*}}, %b
// CHECK-LABEL: func.func @loss
//       CHECK: %w = nn.get @w
//       CHECK: %b = nn.get @b
//       CHECK: call @outer(%x, %w, %b) {sbp.stage = 0 : i64}
//       CHECK: call @outer({{.*}}) {sbp.stage = 1 : i64}

sbp.machine @m [#sbp.level<"gpu" x 4, alpha = 1.0e-6, beta = 1.0e-9>]
    device #sbp.device<memory = 1.0e9, bandwidth = 1.0e11, rates = [#sbp.rate<f32, 4.0e9>]>

nn.parameter @w : tensor<64x64xf32> = #nn.normal<0.1>
nn.parameter @b : tensor<64xf32> = #nn.zeros

func.func private @inner(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %w = nn.get @w : tensor<64x64xf32>
  %h = nn.einsum "bi,ij->bj" %x, %w : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %h : tensor<64x64xf32>
}

func.func private @outer(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %h = call @inner(%x) : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %b = nn.get @b : tensor<64xf32>
  %s = nn.add %h, %b : (tensor<64x64xf32>, tensor<64xf32>) -> tensor<64x64xf32>
  %y = nn.relu %s : tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}

func.func @loss(%x: tensor<64x64xf32> {nn.input = "x"}, %t: tensor<64x64xf32> {nn.input = "t"})
    -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.adam} {
  %a = call @outer(%x) : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %c = call @outer(%a) : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %l = nn.mse %c, %t : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<f32>
  return %l : tensor<f32>
}
