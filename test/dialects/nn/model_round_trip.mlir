// RUN: sbp-opt %s --verify-roundtrip

nn.parameter @normal : tensor<4x5xf32> = #nn.normal<0.02>
nn.parameter @uniform : tensor<4x5xf32> = #nn.uniform<-0.1, 0.1>
nn.parameter @constant : tensor<4x5xi32> = #nn.constant<3.0>
nn.parameter @zeros : tensor<4x5xf32> = #nn.zeros {state}
nn.parameter @ones : tensor<f32> = #nn.ones {frozen}

func.func @parameters_and_constants() {
  %normal = nn.get @normal : tensor<4x5xf32>
  nn.set @zeros, %normal : tensor<4x5xf32>
  %splat = nn.constant dense<0.5> : tensor<4x5xf32>
  %literal = nn.constant dense<[1, 2, 3]> : tensor<3xi64>
  %iota = nn.iota dim 1 : () -> tensor<4x5xi32>
  return
}

func.func @sgd(%x: tensor<4xf32> {nn.input = "x"}) -> (tensor<f32> {nn.output = "loss"})
    attributes {nn.optimizer = #nn.sgd<momentum = 0.9, weight_decay = 1.0e-4>} {
  %loss = nn.reduce mean %x over [0] : tensor<4xf32> -> tensor<f32>
  return %loss : tensor<f32>
}

func.func @adam(%x: tensor<4xf32>) -> tensor<f32>
    attributes {nn.optimizer = #nn.adam<beta2 = 0.95>} {
  %loss = nn.reduce mean %x over [0] : tensor<4xf32> -> tensor<f32>
  return %loss : tensor<f32>
}

func.func @adamw(%x: tensor<4xf32>) -> tensor<f32> attributes {nn.optimizer = #nn.adamw} {
  %loss = nn.reduce mean %x over [0] : tensor<4xf32> -> tensor<f32>
  return %loss : tensor<f32>
}

func.func private @part(%x: tensor<4x2xf32>, %sum: tensor<4xf32>) -> tensor<4xf32> {
  %k = nn.repetition : tensor<i64>
  %y = nn.part %k of %x dim 1 : (tensor<i64>, tensor<4x2xf32>) -> tensor<4xf32>
  %more = nn.add %sum, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %more : tensor<4xf32>
}

func.func @repeat(%x: tensor<4x2xf32>) -> tensor<4xf32> {
  %sum = nn.repeat 2 @part(%x) : (tensor<4x2xf32>) -> tensor<4xf32>
  return %sum : tensor<4xf32>
}

//      CHECK: func.func @repeat_some
// CHECK-NEXT:   nn.repeat 8 only [1, 2, 6] @part
func.func @repeat_some(%x: tensor<4x2xf32>) -> tensor<4xf32> {
  %sum = nn.repeat 8 only [1, 2, 6] @part(%x) : (tensor<4x2xf32>) -> tensor<4xf32>
  return %sum : tensor<4xf32>
}
