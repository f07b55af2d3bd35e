// A perceptron of four stages on two groups of two ranks, for several tests.
sbp.machine @machine [#sbp.level<"cpu" x 4, alpha = 1.0e-6, beta = 1.0e-9>]
sbp.mesh @front of @machine ranks [0, 1] [#sbp.axis<"data" x 2 in "cpu">]
sbp.mesh @back of @machine ranks [2, 3] [#sbp.axis<"data" x 2 in "cpu">]
sbp.stages [@front, @back, @front, @back]

nn.parameter @w0 : tensor<8x8xf32> = #nn.normal<0.1>
nn.parameter @w1 : tensor<8x8xf32> = #nn.normal<0.1>
nn.parameter @w2 : tensor<8x8xf32> = #nn.normal<0.1>
nn.parameter @w3 : tensor<8x8xf32> = #nn.normal<0.1>

func.func private @layer(%x: tensor<512x8xf32>, %w: tensor<8x8xf32>) -> tensor<512x8xf32> {
  %h = nn.einsum "bi,ij->bj" %x, %w : (tensor<512x8xf32>, tensor<8x8xf32>) -> tensor<512x8xf32>
  %y = nn.tanh %h : tensor<512x8xf32>
  return %y : tensor<512x8xf32>
}

func.func @loss(%x: tensor<512x8xf32> {nn.input = "x"}) -> (tensor<f32> {nn.output = "loss"})
    attributes {nn.optimizer = #nn.sgd} {
  %w0 = nn.get @w0 : tensor<8x8xf32>
  %w1 = nn.get @w1 : tensor<8x8xf32>
  %w2 = nn.get @w2 : tensor<8x8xf32>
  %w3 = nn.get @w3 : tensor<8x8xf32>
  %h0 = call @layer(%x, %w0) {sbp.stage = 0} : (tensor<512x8xf32>, tensor<8x8xf32>) -> tensor<512x8xf32>
  %h1 = call @layer(%h0, %w1) {sbp.stage = 1} : (tensor<512x8xf32>, tensor<8x8xf32>) -> tensor<512x8xf32>
  %h2 = call @layer(%h1, %w2) {sbp.stage = 2} : (tensor<512x8xf32>, tensor<8x8xf32>) -> tensor<512x8xf32>
  %h3 = call @layer(%h2, %w3) {sbp.stage = 3} : (tensor<512x8xf32>, tensor<8x8xf32>) -> tensor<512x8xf32>
  %loss = nn.reduce mean %h3 over [0, 1] : tensor<512x8xf32> -> tensor<f32>
  return %loss : tensor<f32>
}
