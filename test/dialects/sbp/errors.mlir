// RUN: sbp-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{'sbp.machine' op has no levels}}
sbp.machine @m []

// -----

// expected-error@+1 {{level 'gpu' has count 0; it must be positive}}
sbp.machine @m [#sbp.level<"gpu" x 0, alpha = 0.0, beta = 0.0>]

// -----

// expected-error@+1 {{level 'gpu' has alpha -1.000000e+00 and beta 0.000000e+00; both must be finite and not negative}}
sbp.machine @m [#sbp.level<"gpu" x 2, alpha = -1.0, beta = 0.0>]

// -----

// expected-error@+1 {{'sbp.machine' op has two levels named 'gpu'}}
sbp.machine @m [#sbp.level<"gpu" x 2, alpha = 0.0, beta = 0.0>, #sbp.level<"gpu" x 2, alpha = 0.0, beta = 0.0>]

// -----

// expected-error@+1 {{'sbp.mesh' op names @nowhere, which is no sbp.machine of this module}}
sbp.mesh @grid of @nowhere [#sbp.axis<"row" x 2 in "gpu">]

// -----

sbp.machine @m [#sbp.level<"gpu" x 4, alpha = 0.0, beta = 0.0>]
// expected-error@+1 {{'sbp.mesh' op has two axes named 'row'}}
sbp.mesh @grid of @m [#sbp.axis<"row" x 2 in "gpu">, #sbp.axis<"row" x 2 in "gpu">]

// -----

// expected-note@+1 {{machine defined here}}
sbp.machine @m [#sbp.level<"gpu" x 4, alpha = 0.0, beta = 0.0>]
// expected-error@+1 {{'sbp.mesh' op has axes of 6 devices in level 'gpu', which has 4}}
sbp.mesh @grid of @m [#sbp.axis<"row" x 2 in "gpu">, #sbp.axis<"column" x 3 in "gpu">]

// -----

// expected-note@+1 {{machine defined here}}
sbp.machine @m [#sbp.level<"gpu" x 4, alpha = 0.0, beta = 0.0>]
// expected-error@+1 {{'sbp.mesh' op has axes of 1 devices in level 'gpu', which has 4}}
sbp.mesh @grid of @m [#sbp.axis<"row" x 4 in "node">]

// -----

// expected-error@+1 {{placement splits dimension 1 of a tensor of rank 1}}
func.func @a_split_dimension_exists(%x: tensor<4xf32, #sbp.nd<@m, [S(1)]>>) {
  return
}

// -----

// expected-error@+1 {{placement mixes P(sum) and P(max)}}
func.func @partials_have_one_reduction(%x: tensor<4xf32, #sbp.nd<@m, [P(sum), P(max)]>>) {
  return
}

// -----

// expected-error@+2 {{reduction 'mean' is none of 'sum', 'max', 'min'}}
// expected-error@+1 {{failed to parse Sbp_NdSbp parameter 'components' which is to be a `::llvm::ArrayRef<::sbp::Component>`}}
func.func @reductions_are_known(%x: tensor<4xf32, #sbp.nd<@m, [P(mean)]>>) {
  return
}

// -----

func.func @a_pinned_split_exists(%x: tensor<4xf32>) {
  // expected-error@+1 {{'sbp.pin' op placement splits dimension 1 of a tensor of rank 1}}
  %y = sbp.pin %x : tensor<4xf32> to #sbp.nd<@m, [S(1)]>
  return
}

// -----

func.func @a_pin_is_of_the_unplaced(%x: tensor<4xf32, #sbp.nd<@m, [B]>>) {
  // expected-error@+1 {{'sbp.pin' op pins a tensor that is placed already, on #sbp.nd<@m, [B]>}}
  %y = sbp.pin %x : tensor<4xf32, #sbp.nd<@m, [B]>> to #sbp.nd<@m, [S(0)]>
  return
}

// -----

func.func @boxing_keeps_the_shape(%x: tensor<4xf32, #sbp.nd<@m, [B]>>) {
  // expected-error@+1 {{'sbp.box' op changes 'tensor<4xf32, #sbp.nd<@m, [B]>>' to 'tensor<5xf32, #sbp.nd<@m, [B]>>'; only the placement may change}}
  %y = sbp.box %x : tensor<4xf32, #sbp.nd<@m, [B]>> to tensor<5xf32, #sbp.nd<@m, [B]>>
  return
}

// -----

func.func @boxing_is_of_the_placed(%x: tensor<4xf32>) {
  // expected-error@+1 {{'sbp.box' op needs placed types, but has 'tensor<4xf32>'}}
  %y = sbp.box %x : tensor<4xf32> to tensor<4xf32, #sbp.nd<@m, [B]>>
  return
}

// -----

func.func @boxing_stays_on_the_mesh(%x: tensor<4xf32, #sbp.nd<@m, [B]>>) {
  // expected-error@+1 {{'sbp.box' op moves from mesh @m to @n}}
  %y = sbp.box %x : tensor<4xf32, #sbp.nd<@m, [B]>> to tensor<4xf32, #sbp.nd<@n, [B]>>
  return
}

// -----

func.func @boxing_keeps_the_number_of_axes(%x: tensor<4xf32, #sbp.nd<@m, [B]>>) {
  // expected-error@+1 {{'sbp.cast' op has 1 components before and 2 after}}
  %y = sbp.cast %x : tensor<4xf32, #sbp.nd<@m, [B]>> to tensor<4xf32, #sbp.nd<@m, [B, B]>>
  return
}

// -----

func.func @a_signature_is_legal(%x: tensor<4xf32, #sbp.nd<@m, [P(sum)]>>) {
  // expected-error@+2 {{'nn.relu' op has no signature (P(sum)) -> (P(sum)) (mesh axis 0)}}
  // expected-note@+1 {{its signatures are (B) -> (B); (S(0)) -> (S(0)); (P(max)) -> (P(max)); (P(min)) -> (P(min))}}
  %y = nn.relu %x : tensor<4xf32, #sbp.nd<@m, [P(sum)]>>
  return
}

// -----

func.func @a_signature_is_legal_on_every_axis(%a: tensor<4x4xf32, #sbp.nd<@m, [S(0), S(1)]>>, %b: tensor<4x4xf32, #sbp.nd<@m, [B, S(1)]>>) {
  // expected-error@+2 {{'nn.einsum' op has no signature (S(1), S(1)) -> (P(sum)) (mesh axis 1)}}
  // expected-note@+1 {{its signatures are (B, B) -> (B); (S(0), B) -> (S(0)); (S(1), S(0)) -> (P(sum)); (B, S(1)) -> (S(1)); (P(sum), B) -> (P(sum)); (B, P(sum)) -> (P(sum))}}
  %y = nn.einsum "ij,jk->ik" %a, %b : (tensor<4x4xf32, #sbp.nd<@m, [S(0), S(1)]>>, tensor<4x4xf32, #sbp.nd<@m, [B, S(1)]>>) -> tensor<4x4xf32, #sbp.nd<@m, [S(0), P(sum)]>>
  return
}

// -----

func.func @all_tensors_are_placed_or_none(%a: tensor<4xf32, #sbp.nd<@m, [S(0)]>>, %b: tensor<4xf32>) {
  // expected-error@+1 {{'nn.add' op has a tensor without placement, 'tensor<4xf32>', beside one on @m}}
  %y = nn.add %a, %b : (tensor<4xf32, #sbp.nd<@m, [S(0)]>>, tensor<4xf32>) -> tensor<4xf32, #sbp.nd<@m, [S(0)]>>
  return
}

// -----

// expected-error@+1 {{'nn.parameter' op is kept as #sbp.nd<@m, [P(sum)]>; a parameter must not be partial}}
nn.parameter @w : tensor<4xf32, #sbp.nd<@m, [P(sum)]>> = #nn.zeros
