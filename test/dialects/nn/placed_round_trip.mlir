// RUN: sbp-opt %s --verify-roundtrip

nn.parameter @w : tensor<4x8xf32, #sbp.nd<@m, [S(0)]>> = #nn.ones
  {sbp.state_pin = #sbp.nd<@m, [S(1)]>}

func.func @a_placed_constant_says_its_type_apart() {
  %a = nn.constant dense<1.5> : tensor<4x2xf32>
  %b = nn.constant dense<1.5> : tensor<4x2xf32>
     -> tensor<4x2xf32, #sbp.nd<@m, [S(0)]>>
  return
}

func.func @placements_follow_signatures(%b: tensor<8xf32, #sbp.nd<@m, [B]>>) {
  %x = nn.get @w : tensor<4x8xf32, #sbp.nd<@m, [S(0)]>>
  %y = nn.add %x, %b
     : (tensor<4x8xf32, #sbp.nd<@m, [S(0)]>>, tensor<8xf32, #sbp.nd<@m, [B]>>)
     -> tensor<4x8xf32, #sbp.nd<@m, [S(0)]>>
  %z = nn.reduce mean %y over [0]
     : tensor<4x8xf32, #sbp.nd<@m, [S(0)]>> -> tensor<8xf32, #sbp.nd<@m, [P(sum)]>>
  return
}

func.func @local_ops_know_where_they_are(%x: tensor<2x8xf32>, %labels: tensor<2xi32>,
                                         %start: tensor<i64>) {
  %s = nn.reduce mean %x over [0] {count = 4 : i64} : tensor<2x8xf32> -> tensor<8xf32>
  %l = nn.cross_entropy %x, %labels {count = 4 : i64}
     : (tensor<2x8xf32>, tensor<2xi32>) -> tensor<f32>
  %i = nn.iota from %start dim 0 : (tensor<i64>) -> tensor<2xi32>
  %e = nn.embedding %x, %labels from %start
     : (tensor<2x8xf32>, tensor<2xi32>, tensor<i64>) -> tensor<2x8xf32>
  return
}
