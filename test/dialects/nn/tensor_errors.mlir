// RUN: sbp-opt %s --split-input-file --verify-diagnostics

func.func @einsum_c1_form(%x: tensor<4x3xf32>, %y: tensor<3x5xf32>) {
  // expected-error @+1 {{equation "bi,ij>bj" is not of the form "bi,ij->bj"}}
  %z = nn.einsum "bi,ij>bj" %x, %y : (tensor<4x3xf32>, tensor<3x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @einsum_c1_letters(%x: tensor<4x3xf32>, %y: tensor<3x5xf32>) {
  // expected-error @+1 {{equation "b1,1j->bj" is not of the form}}
  %z = nn.einsum "b1,1j->bj" %x, %y : (tensor<4x3xf32>, tensor<3x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @einsum_c1_twice(%x: tensor<4x3xf32>, %y: tensor<3x5xf32>) {
  // expected-error @+1 {{has the letter 'i' twice in one tensor}}
  %z = nn.einsum "ii,ij->ij" %x, %y : (tensor<4x3xf32>, tensor<3x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @einsum_c1_rank(%x: tensor<4x3xf32>, %y: tensor<3x5xf32>) {
  // expected-error @+1 {{has 3 letters for 'tensor<4x3xf32>'}}
  %z = nn.einsum "bhi,ij->bj" %x, %y : (tensor<4x3xf32>, tensor<3x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @einsum_c3(%x: tensor<4x3xf32>, %y: tensor<2x5xf32>) {
  // expected-error @+1 {{gives 'i' the extents 3 and 2, in 'tensor<4x3xf32>' and 'tensor<2x5xf32>'}}
  %z = nn.einsum "bi,ij->bj" %x, %y : (tensor<4x3xf32>, tensor<2x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @einsum_c4_unknown(%x: tensor<4x3xf32>, %y: tensor<3x5xf32>) {
  // expected-error @+1 {{has 'k' in the result but in no operand}}
  %z = nn.einsum "bi,ij->bk" %x, %y : (tensor<4x3xf32>, tensor<3x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @einsum_c4_lost(%x: tensor<4x3xf32>, %y: tensor<3x5xf32>) {
  // expected-error @+1 {{sums 'b', which is in one operand only; sum it first by nn.reduce}}
  %z = nn.einsum "bi,ij->j" %x, %y : (tensor<4x3xf32>, tensor<3x5xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @attention_c2(%q: tensor<2x3x4xf32>, %k: tensor<2x5x6xf32>) {
  // expected-error @+1 {{are not [..., T, D], [..., S, D] and [..., S, E]}}
  %y = nn.attention %q, %k, %k {scale = 1.0 : f64} : (tensor<2x3x4xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>) -> tensor<2x3x6xf32>
  return
}

// -----

func.func @attention_grad_c3(%q: tensor<2x3x4xf32>, %k: tensor<2x5x4xf32>, %g: tensor<2x3x7xf32>) {
  // expected-error @+1 {{needs tensors of one type, but has 'tensor<2x3x4xf32>' and 'tensor<2x3x7xf32>'}}
  %y:3 = nn.attention_grad %q, %k, %k, %g {scale = 1.0 : f64} : (tensor<2x3x4xf32>, tensor<2x5x4xf32>, tensor<2x5x4xf32>, tensor<2x3x7xf32>) -> (tensor<2x3x4xf32>, tensor<2x5x4xf32>, tensor<2x5x4xf32>)
  return
}

// -----

func.func @reduce_c1_range(%x: tensor<4x3xf32>) {
  // expected-error @+1 {{reduces dimension 2 of a tensor of rank 2}}
  %y = nn.reduce sum %x over [2] : tensor<4x3xf32> -> tensor<4xf32>
  return
}

// -----

func.func @reduce_c1_order(%x: tensor<4x3xf32>) {
  // expected-error @+1 {{reduces dimension 0 after 1; dimensions must ascend}}
  %y = nn.reduce sum %x over [1, 0] : tensor<4x3xf32> -> tensor<f32>
  return
}

// -----

func.func @reduce_c2(%x: tensor<4x3xi32>) {
  // expected-error @+1 {{takes the mean of elements of type 'i32'; a mean needs floating point}}
  %y = nn.reduce mean %x over [1] : tensor<4x3xi32> -> tensor<4xi32>
  return
}

// -----

func.func @softmax_c2(%x: tensor<4x3xf32>) {
  // expected-error @+1 {{normalises dimension 2 of a tensor of rank 2}}
  %y = nn.softmax %x dim 2 : tensor<4x3xf32>
  return
}

// -----

func.func @softmax_grad_c1(%x: tensor<4x3xf32>) {
  // expected-error @+1 {{normalises dimension 2 of a tensor of rank 2}}
  %y = nn.softmax_grad %x, %x dim 2 : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @softmax_grad_c2(%x: tensor<4x3xf32>, %g: tensor<4xf32>) {
  // expected-error @+1 {{needs tensors of one type, but has 'tensor<4x3xf32>' and 'tensor<4xf32>'}}
  %y = nn.softmax_grad %x, %g dim 0 : (tensor<4x3xf32>, tensor<4xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @layer_norm_c2(%x: tensor<4x3xf32>, %g: tensor<4xf32>) {
  // expected-error @+1 {{scales a last dimension of extent 3 by 'tensor<4xf32>'}}
  %y = nn.layer_norm %x, %g, %g : (tensor<4x3xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @rms_norm_c1(%x: tensor<f32>, %g: tensor<1xf32>) {
  // expected-error @+1 {{normalises the last dimension of 'tensor<f32>', which has none}}
  %y = nn.rms_norm %x, %g : (tensor<f32>, tensor<1xf32>) -> tensor<f32>
  return
}

// -----

func.func @layer_norm_grad_c3(%x: tensor<4x3xf32>, %v: tensor<3xf32>, %g: tensor<3x4xf32>) {
  // expected-error @+1 {{needs tensors of one type, but has 'tensor<4x3xf32>' and 'tensor<3x4xf32>'}}
  %y:3 = nn.layer_norm_grad %x, %v, %g : (tensor<4x3xf32>, tensor<3xf32>, tensor<3x4xf32>) -> (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @embedding_c1(%t: tensor<8xf32>, %i: tensor<3xi32>) {
  // expected-error @+1 {{looks rows up in 'tensor<8xf32>', which is no matrix}}
  %y = nn.embedding %t, %i : (tensor<8xf32>, tensor<3xi32>) -> tensor<3xf32>
  return
}

// -----

func.func @embedding_grad_c2(%i: tensor<3xi32>, %g: tensor<3x5xf32>) {
  // expected-error @+1 {{adds rows of 'tensor<3x5xf32>', indexed by 'tensor<3xi32>', to 'tensor<8x4xf32>'; needs a table [V, D], and a gradient with the indices' shape and D}}
  %y = nn.embedding_grad %i, %g : (tensor<3xi32>, tensor<3x5xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @cross_entropy_c1(%x: tensor<4x3xf32>, %l: tensor<3xi32>) {
  // expected-error @+1 {{compares logits 'tensor<4x3xf32>' with labels 'tensor<3xi32>'; they must have the logits' leading dimensions}}
  %y = nn.cross_entropy %x, %l : (tensor<4x3xf32>, tensor<3xi32>) -> tensor<f32>
  return
}

// -----

func.func @mse_c1(%x: tensor<4x3xf32>, %y: tensor<3xf32>) {
  // expected-error @+1 {{compares 'tensor<4x3xf32>' with 'tensor<3xf32>'; shapes and element types must be equal}}
  %z = nn.mse %x, %y : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<f32>
  return
}

// -----

func.func @sgd_c1(%x: tensor<4xf32>, %g: tensor<3xf32>, %lr: tensor<f32>) {
  // expected-error @+1 {{needs tensors of one type, but has 'tensor<4xf32>' and 'tensor<3xf32>'}}
  %z = nn.sgd %x, %g, %lr {weight_decay = 0.0 : f64} : (tensor<4xf32>, tensor<3xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @einsum_c2(%x: tensor<4x3xf32>, %y: tensor<3x5xf64>) {
  // expected-error @+1 {{element types 'f32' and 'f64' differ}}
  %z = nn.einsum "bi,ij->bj" %x, %y : (tensor<4x3xf32>, tensor<3x5xf64>) -> tensor<4x5xf32>
  return
}

// -----

func.func @einsum_c5(%x: tensor<4x3xf32>, %y: tensor<3x5xf32>) {
  // expected-error @+1 {{has the result types 'tensor<5x4xf32>', but infers 'tensor<4x5xf32>'}}
  %z = nn.einsum "bi,ij->bj" %x, %y : (tensor<4x3xf32>, tensor<3x5xf32>) -> tensor<5x4xf32>
  return
}

// -----

func.func @attention_c1(%q: tensor<2x3x4xf32>, %k: tensor<2x5x4xf64>) {
  // expected-error @+1 {{element types 'f32' and 'f64' differ}}
  %y = nn.attention %q, %k, %k {scale = 1.0 : f64} : (tensor<2x3x4xf32>, tensor<2x5x4xf64>, tensor<2x5x4xf64>) -> tensor<2x3x4xf32>
  return
}

// -----

func.func @attention_c3(%q: tensor<2x3x4xf32>, %k: tensor<2x5x4xf32>) {
  // expected-error @+1 {{has the result types 'tensor<2x5x4xf32>', but infers 'tensor<2x3x4xf32>'}}
  %y = nn.attention %q, %k, %k {scale = 1.0 : f64} : (tensor<2x3x4xf32>, tensor<2x5x4xf32>, tensor<2x5x4xf32>) -> tensor<2x5x4xf32>
  return
}

// -----

func.func @reduce_c3(%x: tensor<4x3xf32>) {
  // expected-error @+1 {{has the result types 'tensor<4xf32>', but infers 'tensor<4x1xf32>'}}
  %y = nn.reduce sum %x over [1] keep : tensor<4x3xf32> -> tensor<4xf32>
  return
}

// -----

func.func @softmax_c1(%x: tensor<4x3xf32>) {
  // expected-error @+1 {{requires the same type for all operands and results}}
  %y = "nn.softmax"(%x) {dim = 1 : i64} : (tensor<4x3xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @log_softmax_c1(%x: tensor<4x3xf32>) {
  // expected-error @+1 {{requires the same type for all operands and results}}
  %y = "nn.log_softmax"(%x) {dim = 1 : i64} : (tensor<4x3xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @log_softmax_c2(%x: tensor<4x3xf32>) {
  // expected-error @+1 {{normalises dimension -1 of a tensor of rank 2}}
  %y = nn.log_softmax %x dim -1 : tensor<4x3xf32>
  return
}

// -----

func.func @layer_norm_c1(%x: tensor<f32>, %g: tensor<1xf32>) {
  // expected-error @+1 {{normalises the last dimension of 'tensor<f32>', which has none}}
  %y = nn.layer_norm %x, %g, %g : (tensor<f32>, tensor<1xf32>, tensor<1xf32>) -> tensor<f32>
  return
}

// -----

func.func @layer_norm_c2_element_type(%x: tensor<4x3xf32>, %g: tensor<3xf64>) {
  // expected-error @+1 {{element types 'f32' and 'f64' differ}}
  %y = nn.layer_norm %x, %g, %g : (tensor<4x3xf32>, tensor<3xf64>, tensor<3xf64>) -> tensor<4x3xf32>
  return
}

// -----

func.func @layer_norm_c3(%x: tensor<4x3xf32>, %g: tensor<3xf32>) {
  // expected-error @+1 {{attribute 'epsilon' failed to satisfy constraint: 64-bit float attribute whose value is finite and at least 0}}
  %y = nn.layer_norm %x, %g, %g {epsilon = -1.0 : f64} : (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @layer_norm_c4(%x: tensor<4x3xf32>, %g: tensor<3xf32>) {
  // expected-error @+1 {{has the result types 'tensor<3x4xf32>', but infers 'tensor<4x3xf32>'}}
  %y = nn.layer_norm %x, %g, %g : (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @rms_norm_c2(%x: tensor<4x3xf32>, %g: tensor<4xf32>) {
  // expected-error @+1 {{scales a last dimension of extent 3 by 'tensor<4xf32>'}}
  %y = nn.rms_norm %x, %g : (tensor<4x3xf32>, tensor<4xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @rms_norm_c3(%x: tensor<4x3xf32>, %g: tensor<3xf32>) {
  // expected-error @+1 {{attribute 'epsilon' failed to satisfy constraint: 64-bit float attribute whose value is finite and at least 0}}
  %y = nn.rms_norm %x, %g {epsilon = -1.0 : f64} : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @rms_norm_c4(%x: tensor<4x3xf32>, %g: tensor<3xf32>) {
  // expected-error @+1 {{has the result types 'tensor<3x4xf32>', but infers 'tensor<4x3xf32>'}}
  %y = nn.rms_norm %x, %g : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @embedding_c2(%t: tensor<8x4xf32>, %i: tensor<3xi32>) {
  // expected-error @+1 {{has the result types 'tensor<3x8xf32>', but infers 'tensor<3x4xf32>'}}
  %y = nn.embedding %t, %i : (tensor<8x4xf32>, tensor<3xi32>) -> tensor<3x8xf32>
  return
}

// -----

func.func @cross_entropy_c2(%x: tensor<4x3xf32>, %l: tensor<4xi32>) {
  // expected-error @+1 {{has the result types 'tensor<4xf32>', but infers 'tensor<f32>'}}
  %y = nn.cross_entropy %x, %l : (tensor<4x3xf32>, tensor<4xi32>) -> tensor<4xf32>
  return
}

// -----

func.func @mse_c2(%x: tensor<4x3xf32>) {
  // expected-error @+1 {{has the result types 'tensor<1xf32>', but infers 'tensor<f32>'}}
  %z = nn.mse %x, %x : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @mean_by_a_negative_count(%x: tensor<2x3xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{attribute 'count' failed to satisfy constraint}}
  %y = nn.reduce mean %x over [1] {count = -6 : i64} : tensor<2x3xf32> -> tensor<2xf32>
  return %y : tensor<2xf32>
}
