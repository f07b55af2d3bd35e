// RUN: sbp-opt %s --split-input-file --verify-diagnostics

func.func @a_letter_has_one_extent(%a: tensor<2x5xf32>, %b: tensor<4x3xf32>) {
  // expected-error@+2 {{equation "bi,ij->bj" gives 'i' the extents 5 and 4, in 'tensor<2x5xf32>' and 'tensor<4x3xf32>'}}
  // expected-error@+1 {{'nn.einsum' op failed to infer returned types}}
  %y = nn.einsum "bi,ij->bj" %a, %b : (tensor<2x5xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @one_letter_per_dimension(%a: tensor<2x5xf32>, %b: tensor<4x3xf32>) {
  // expected-error@+2 {{equation "b,ij->bj" has 1 letters for 'tensor<2x5xf32>'}}
  // expected-error@+1 {{'nn.einsum' op failed to infer returned types}}
  %y = nn.einsum "b,ij->bj" %a, %b : (tensor<2x5xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @no_letter_twice_in_a_tensor(%a: tensor<2x2xf32>, %b: tensor<2x3xf32>) {
  // expected-error@+2 {{equation "bb,bj->bj" has the letter 'b' twice in one tensor}}
  // expected-error@+1 {{'nn.einsum' op failed to infer returned types}}
  %y = nn.einsum "bb,bj->bj" %a, %b : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @a_letter_of_one_operand_is_in_the_result(%a: tensor<2x2xf32>, %b: tensor<2x3xf32>) {
  // expected-error@+2 {{equation "ab,bc->c" sums 'a', which is in one operand only; sum it first by nn.reduce}}
  // expected-error@+1 {{'nn.einsum' op failed to infer returned types}}
  %y = nn.einsum "ab,bc->c" %a, %b : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @extents_broadcast(%a: tensor<2x3xf32>, %b: tensor<2xf32>) {
  // expected-error@+2 {{extents 3 and 2 do not broadcast, in 'tensor<2x3xf32>' and 'tensor<2xf32>'}}
  // expected-error@+1 {{'nn.add' op failed to infer returned types}}
  %y = nn.add %a, %b : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @element_types_are_equal(%a: tensor<2xf32>, %b: tensor<2xi32>) {
  // expected-error@+2 {{element types 'f32' and 'i32' differ}}
  // expected-error@+1 {{'nn.add' op failed to infer returned types}}
  %y = nn.add %a, %b : (tensor<2xf32>, tensor<2xi32>) -> tensor<2xf32>
  return
}

// -----

func.func @the_result_is_what_is_inferred(%a: tensor<2xf32>) {
  // expected-error@+2 {{'nn.add' op inferred type(s) 'tensor<2xf32>' are incompatible with return type(s) of operation 'tensor<3xf32>'}}
  // expected-error@+1 {{'nn.add' op failed to infer returned types}}
  %y = nn.add %a, %a : (tensor<2xf32>, tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @dimensions_to_reduce_are_in_range(%a: tensor<2xf32>) {
  // expected-error@+2 {{reduces dimension 1 of a tensor of rank 1}}
  // expected-error@+1 {{'nn.reduce' op failed to infer returned types}}
  %y = nn.reduce sum %a over [1] : tensor<2xf32> -> tensor<2xf32>
  return
}

// -----

func.func @dimensions_to_reduce_ascend(%a: tensor<2x2xf32>) {
  // expected-error@+2 {{reduces dimension 1 after 1; dimensions must ascend}}
  // expected-error@+1 {{'nn.reduce' op failed to infer returned types}}
  %y = nn.reduce sum %a over [1, 1] : tensor<2x2xf32> -> tensor<2xf32>
  return
}

// -----

func.func @a_mean_is_of_floating_point(%a: tensor<2xi32>) {
  // expected-error@+2 {{takes the mean of 'i32', which has no fractions}}
  // expected-error@+1 {{'nn.reduce' op failed to infer returned types}}
  %y = nn.reduce mean %a over [0] : tensor<2xi32> -> tensor<i32>
  return
}

// -----

func.func @reshape_keeps_the_number_of_elements(%a: tensor<6xf32>) {
  // expected-error@+1 {{'nn.reshape' op changes 'tensor<6xf32>' with 6 elements to 'tensor<4x2xf32>' with 8}}
  %y = nn.reshape %a : tensor<6xf32> -> tensor<4x2xf32>
  return
}

// -----

func.func @transpose_permutes(%a: tensor<6x2xf32>) {
  // expected-error@+2 {{takes dimension 0 twice}}
  // expected-error@+1 {{'nn.transpose' op failed to infer returned types}}
  %y = nn.transpose %a [0, 0] : tensor<6x2xf32> -> tensor<6x6xf32>
  return
}

// -----

func.func @a_slice_is_inside(%a: tensor<6xf32>) {
  // expected-error@+2 {{takes [4, 7) of dimension 0, which has extent 6}}
  // expected-error@+1 {{'nn.slice' op failed to infer returned types}}
  %y = nn.slice %a [4] [3] : tensor<6xf32> -> tensor<3xf32>
  return
}

// -----

func.func @concat_joins_along_one_dimension(%a: tensor<6x2xf32>, %b: tensor<6x3xf32>) {
  // expected-error@+2 {{'tensor<6x2xf32>' and 'tensor<6x3xf32>' do not join along dimension 0}}
  // expected-error@+1 {{'nn.concat' op failed to infer returned types}}
  %y = nn.concat %a, %b dim 0 : (tensor<6x2xf32>, tensor<6x3xf32>) -> tensor<12x2xf32>
  return
}

// -----

func.func @softmax_is_along_a_dimension(%a: tensor<6xf32>) {
  // expected-error@+1 {{'nn.softmax' op normalises dimension 1 of a tensor of rank 1}}
  %y = nn.softmax %a dim 1 : tensor<6xf32>
  return
}

// -----

func.func @gamma_has_the_last_extent(%a: tensor<6x3xf32>, %g: tensor<2xf32>) {
  // expected-error@+2 {{scales a last dimension of extent 3 by 'tensor<2xf32>'}}
  // expected-error@+1 {{'nn.rms_norm' op failed to infer returned types}}
  %y = nn.rms_norm %a, %g : (tensor<6x3xf32>, tensor<2xf32>) -> tensor<6x3xf32>
  return
}

// -----

func.func @labels_have_the_leading_dimensions(%a: tensor<6x3xf32>, %g: tensor<5xi32>) {
  // expected-error@+2 {{compares logits 'tensor<6x3xf32>' with labels 'tensor<5xi32>'; they must have the logits' leading dimensions}}
  // expected-error@+1 {{'nn.cross_entropy' op failed to infer returned types}}
  %y = nn.cross_entropy %a, %g : (tensor<6x3xf32>, tensor<5xi32>) -> tensor<f32>
  return
}

// -----

func.func @queries_and_keys_have_one_width(%q: tensor<2x8x4xf32>, %k: tensor<2x8x5xf32>) {
  // expected-error@+2 {{query 'tensor<2x8x4xf32>', key 'tensor<2x8x5xf32>' and value 'tensor<2x8x4xf32>' are not [..., T, D], [..., S, D] and [..., S, E]}}
  // expected-error@+1 {{'nn.attention' op failed to infer returned types}}
  %y = nn.attention %q, %k, %q {scale = 1.0 : f64}
     : (tensor<2x8x4xf32>, tensor<2x8x5xf32>, tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
  return
}

// -----

func.func @cast_keeps_the_shape(%x: tensor<4xf32>) {
  // expected-error@+1 {{'nn.cast' op changes the shape of 'tensor<4xf32>' to that of 'tensor<5xi32>'}}
  %y = nn.cast %x : tensor<4xf32> -> tensor<5xi32>
  return
}
