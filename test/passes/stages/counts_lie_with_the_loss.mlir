// RUN: sbp-opt %s --sbp-to-placed=micro-batches=2 2> /dev/null | FileCheck %s

// The last stage alone uses the factor of %mean. So what it depends on is added up on the
// group of that stage, and the other group needs no labels.

// CHECK-LABEL: func.func @train_step(
//  CHECK-SAME:   %labels: tensor<4xi32, #B_back> {nn.input = "labels"}
//       CHECK:   nn.repeat 2 @train_step.counts({{.*}}) : (tensor<2x2xi32, #B_back>) -> tensor<f32, #B_back>
// CHECK-LABEL: func.func private @train_step.counts(
//       CHECK:   nn.compare {{.*}} -> tensor<2xi1, #B_back>

sbp.machine @host [#sbp.level<"cpu" x 2, alpha = 1.0e-6, beta = 1.0e-9>]
    device #sbp.device<memory = 1.0e10, bandwidth = 1.0e10, rates = [#sbp.rate<f32, 1.0e11>]>
sbp.mesh @front of @host ranks [0] [#sbp.axis<"one" x 1 in "cpu">]
sbp.mesh @back of @host ranks [1] [#sbp.axis<"one" x 1 in "cpu">]
sbp.stages [@front, @back]

nn.parameter @w : tensor<8x8xf32> = #nn.normal<0.1>

func.func @loss(%x: tensor<4x8xf32> {nn.input = "x"}, %labels: tensor<4xi32> {nn.input = "labels"})
    -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<8x8xf32>
  %y = nn.einsum "bi,ij->bj" %x, %w {sbp.stage = 0} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %rows = nn.reduce sum %y over [1] {sbp.stage = 1} : tensor<4x8xf32> -> tensor<4xf32>
  %ignored = nn.constant dense<-100> : tensor<i32>
  %isValid = nn.compare ne %labels, %ignored : (tensor<4xi32>, tensor<i32>) -> tensor<4xi1>
  %valid = nn.cast %isValid : tensor<4xi1> -> tensor<4xf32>
  %masked = nn.mul %rows, %valid : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %sum = nn.reduce sum %masked over [0] : tensor<4xf32> -> tensor<f32>
  %count = nn.reduce sum %valid over [0] : tensor<4xf32> -> tensor<f32>
  %mean = nn.div %sum, %count : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %plain = nn.reduce mean %y over [0, 1] : tensor<4x8xf32> -> tensor<f32>
  %loss = nn.add %mean, %plain : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %loss : tensor<f32>
}
