// RUN: sbp-opt %s --verify-roundtrip

func.func @one_operand(%x: tensor<4x5xf32>, %i: tensor<4xi32>) {
  %neg = nn.neg %x : tensor<4x5xf32>
  %negi = nn.neg %i : tensor<4xi32>
  %exp = nn.exp %x : tensor<4x5xf32>
  %log = nn.log %x : tensor<4x5xf32>
  %sqrt = nn.sqrt %x : tensor<4x5xf32>
  %rsqrt = nn.rsqrt %x : tensor<4x5xf32>
  %tanh = nn.tanh %x : tensor<4x5xf32>
  %sigmoid = nn.sigmoid %x : tensor<4x5xf32>
  %relu = nn.relu %x : tensor<4x5xf32>
  %silu = nn.silu %x : tensor<4x5xf32>
  %gelu = nn.gelu %x : tensor<4x5xf32>
  %gelut = nn.gelu tanh %x : tensor<4x5xf32>
  %cast = nn.cast %i : tensor<4xi32> -> tensor<4xf32>
  return
}

func.func @two_operands_broadcast(%a: tensor<4x5xf32>, %b: tensor<5xf32>,
                                  %c: tensor<4x1xf32>, %s: tensor<f32>) {
  %add = nn.add %a, %b : (tensor<4x5xf32>, tensor<5xf32>) -> tensor<4x5xf32>
  %sub = nn.sub %b, %c : (tensor<5xf32>, tensor<4x1xf32>) -> tensor<4x5xf32>
  %mul = nn.mul %a, %s : (tensor<4x5xf32>, tensor<f32>) -> tensor<4x5xf32>
  %div = nn.div %s, %a : (tensor<f32>, tensor<4x5xf32>) -> tensor<4x5xf32>
  %max = nn.max %a, %a : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
  %min = nn.min %a, %c : (tensor<4x5xf32>, tensor<4x1xf32>) -> tensor<4x5xf32>
  return
}

func.func @masks(%row: tensor<4x1xi32>, %column: tensor<1x4xi32>, %x: tensor<4x4xf32>,
                 %s: tensor<f32>) {
  %eq = nn.compare eq %row, %column : (tensor<4x1xi32>, tensor<1x4xi32>) -> tensor<4x4xi1>
  %ne = nn.compare ne %row, %column : (tensor<4x1xi32>, tensor<1x4xi32>) -> tensor<4x4xi1>
  %lt = nn.compare lt %x, %s : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xi1>
  %le = nn.compare le %x, %s : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xi1>
  %gt = nn.compare gt %x, %s : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xi1>
  %ge = nn.compare ge %x, %s : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xi1>
  %select = nn.select %ge, %x, %s
      : (tensor<4x4xi1>, tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
  return
}
