// A perceptron of two stages on a rank each, for several tests.
sbp.machine @machine [#sbp.level<"cpu" x 2, alpha = 1.0e-6, beta = 1.0e-9>]
sbp.mesh @front of @machine ranks [0] [#sbp.axis<"one" x 1 in "cpu">]
sbp.mesh @back of @machine ranks [1] [#sbp.axis<"one" x 1 in "cpu">]
sbp.stages [@front, @back]

nn.parameter @w0 : tensor<8x8xf32> = #nn.normal<0.1>
nn.parameter @w1 : tensor<8x8xf32> = #nn.normal<0.1>

func.func @loss(%x: tensor<64x8xf32> {nn.input = "x"}) -> (tensor<f32> {nn.output = "loss"})
    attributes {nn.optimizer = #nn.sgd} {
  %w0 = nn.get @w0 : tensor<8x8xf32>
  %w1 = nn.get @w1 : tensor<8x8xf32>
  %h0 = nn.einsum "bi,ij->bj" %x, %w0 {sbp.stage = 0} : (tensor<64x8xf32>, tensor<8x8xf32>) -> tensor<64x8xf32>
  %y0 = nn.tanh %h0 {sbp.stage = 0} : tensor<64x8xf32>
  %h1 = nn.einsum "bi,ij->bj" %y0, %w1 {sbp.stage = 1} : (tensor<64x8xf32>, tensor<8x8xf32>) -> tensor<64x8xf32>
  %y1 = nn.tanh %h1 {sbp.stage = 1} : tensor<64x8xf32>
  %loss = nn.reduce mean %y1 over [0, 1] {sbp.stage = 1} : tensor<64x8xf32> -> tensor<f32>
  return %loss : tensor<f32>
}
