// RUN: sbp-opt %s --split-input-file --verify-diagnostics

// On every mesh axis the placements of an op form one of its signatures.

!x = tensor<4x8xf32, #sbp.nd<@m, [S(0), S(1)]>>
!w = tensor<8x6xf32, #sbp.nd<@m, [B, S(0)]>>
!y = tensor<4x6xf32, #sbp.nd<@m, [S(0), P(sum)]>>

func.func @each_axis_follows_a_signature_of_its_own(%x: !x, %w: !w) -> !y {
  %y = nn.einsum "bi,ij->bj" %x, %w : (!x, !w) -> !y
  return %y : !y
}

// -----

!x = tensor<4x8xf32, #sbp.nd<@m, [S(0), S(1)]>>
!w = tensor<8x6xf32, #sbp.nd<@m, [B, S(0)]>>
!y = tensor<4x6xf32, #sbp.nd<@m, [S(0), B]>>

func.func @placements_c3_partial_sums_do_not_vanish(%x: !x, %w: !w) -> !y {
  // expected-error @+2 {{has no signature (S(1), S(0)) -> (B) (mesh axis 1)}}
  // expected-note @+1 {{its signatures are (B, B) -> (B); (S(0), B) -> (S(0)); (S(1), S(0)) -> (P(sum)); (B, S(1)) -> (S(1)); (P(sum), B) -> (P(sum)); (B, P(sum)) -> (P(sum))}}
  %y = nn.einsum "bi,ij->bj" %x, %w : (!x, !w) -> !y
  return %y : !y
}

// -----

!p = tensor<4xf32, #sbp.nd<@m, [P(sum)]>>

func.func @placements_c3_exp_is_not_linear(%x: !p) -> !p {
  // expected-error @+2 {{has no signature (P(sum)) -> (P(sum)) (mesh axis 0)}}
  // expected-note @+1 {{its signatures are (B) -> (B); (S(0)) -> (S(0)); (P(max)) -> (P(max)); (P(min)) -> (P(min))}}
  %y = nn.exp %x : !p
  return %y : !p
}

// -----

func.func @placements_c1(%x: tensor<4xf32, #sbp.nd<@m, [B]>>,
                                  %y: tensor<4xf32>) {
  // expected-error @+1 {{has a tensor without placement, 'tensor<4xf32>', beside one on @m}}
  %z = nn.add %x, %y : (tensor<4xf32, #sbp.nd<@m, [B]>>, tensor<4xf32>)
     -> tensor<4xf32, #sbp.nd<@m, [B]>>
  return
}

// -----

func.func @placements_c2_mesh(%x: tensor<4xf32, #sbp.nd<@m, [B]>>,
                                       %y: tensor<4xf32, #sbp.nd<@n, [B]>>) {
  // expected-error @+1 {{mixes tensors on @m and on @n}}
  %z = nn.add %x, %y
     : (tensor<4xf32, #sbp.nd<@m, [B]>>, tensor<4xf32, #sbp.nd<@n, [B]>>)
     -> tensor<4xf32, #sbp.nd<@m, [B]>>
  return
}

// -----

func.func @placements_c2_components(
    %x: tensor<4xf32, #sbp.nd<@m, [B]>>, %y: tensor<4xf32, #sbp.nd<@m, [B, B]>>) {
  // expected-error @+1 {{mixes placements with 1 and with 2 components}}
  %z = nn.add %x, %y
     : (tensor<4xf32, #sbp.nd<@m, [B]>>, tensor<4xf32, #sbp.nd<@m, [B, B]>>)
     -> tensor<4xf32, #sbp.nd<@m, [B]>>
  return
}
