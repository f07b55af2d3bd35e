// Two nodes of two devices: data parallel over "node", columns and rows over "gpu".
sbp.machine @cluster [#sbp.level<"node" x 2, alpha = 2.0e-5, beta = 8.0e-11>,
                      #sbp.level<"gpu" x 2, alpha = 5.0e-6, beta = 5.0e-12>]

nn.parameter @up : tensor<1024x4096xf32> = #nn.normal<0.02>
    {sbp.pin = #sbp.nd<@cluster, [B, S(1)]>}
nn.parameter @down : tensor<4096x1024xf32> = #nn.normal<0.02>
    {sbp.pin = #sbp.nd<@cluster, [B, S(0)]>}

func.func @loss(
    %x: tensor<4096x1024xf32> {nn.input = "x", sbp.pin = #sbp.nd<@cluster, [S(0), B]>},
    %y: tensor<4096x1024xf32> {nn.input = "y", sbp.pin = #sbp.nd<@cluster, [S(0), B]>})
    -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.sgd} {
  %up = nn.get @up : tensor<1024x4096xf32>
  %down = nn.get @down : tensor<4096x1024xf32>
  %product = nn.einsum "bi,ij->bj" %x, %up
      : (tensor<4096x1024xf32>, tensor<1024x4096xf32>) -> tensor<4096x4096xf32>
  %hidden = nn.gelu %product : tensor<4096x4096xf32>
  %terms = nn.einsum "bj,jk->bk" %hidden, %down
      : (tensor<4096x4096xf32>, tensor<4096x1024xf32>) -> tensor<4096x1024xf32>
  %result = sbp.pin %terms : tensor<4096x1024xf32> to #sbp.nd<@cluster, [S(0), B]>
  %loss = nn.mse %result, %y
      : (tensor<4096x1024xf32>, tensor<4096x1024xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}
