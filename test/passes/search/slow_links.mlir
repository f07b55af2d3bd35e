// RUN: sed -e s/ALPHA/1.0e8/ -e s/BETA/1.0e8/ %s | sbpc explain - | FileCheck %s
// RUN: sed -e s/ALPHA/1.0e30/ -e s/BETA/1.0e30/ %s | sbpc explain - | FileCheck %s
// RUN: sed -e s/ALPHA/1.0e2/ -e s/BETA/1.0/ %s | sbpc explain - | FileCheck %s

// On links that take years nothing is moved. What that would cost is nothing to
// measure the plan by: it is proven all the same, and so are prices of pins.

// CHECK: @train_step: {{.*}} us, all of it computing
// CHECK: No plan takes less: proven.
// CHECK: @loss: {{.*}} us, all of it computing
// CHECK: No plan that agrees with that of @train_step takes less: proven.
// CHECK: pin
// CHECK-NOT: Bounds

sbp.machine @m [#sbp.level<"gpu" x 4, alpha = ALPHA, beta = BETA>]
    device #sbp.device<memory = 1.0e9, bandwidth = 1.0e12, rates = [#sbp.rate<f32, 1.0e13>]>
nn.parameter @up : tensor<256x256xf32> = #nn.normal<0.02>
nn.parameter @down : tensor<256x256xf32> = #nn.normal<0.02>

func.func @loss(%x: tensor<16x256xf32> {nn.input = "x"})
    -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.sgd} {
  %up = nn.get @up : tensor<256x256xf32>
  %down = nn.get @down : tensor<256x256xf32>
  %h = nn.einsum "bi,ij->bj" %x, %up
      : (tensor<16x256xf32>, tensor<256x256xf32>) -> tensor<16x256xf32>
  %g = nn.gelu %h : tensor<16x256xf32>
  %y = nn.einsum "bj,jk->bk" %g, %down
      : (tensor<16x256xf32>, tensor<256x256xf32>) -> tensor<16x256xf32>
  %z = nn.gelu %y : tensor<16x256xf32>
  %l = nn.reduce mean %z over [0, 1] : tensor<16x256xf32> -> tensor<f32>
  return %l : tensor<f32>
}
