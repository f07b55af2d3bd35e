// RUN: sbp-opt %s --sbp-place=place-by=propagation --split-input-file --verify-diagnostics

sbp.machine @m [#sbp.level<"gpu" x 4, alpha = 1.0e-6, beta = 1.0e-10>]
// expected-error @below {{is pinned to 2 components, but @m has 1 axes}}
nn.parameter @w : tensor<8x16xf32> = #nn.zeros {sbp.pin = #sbp.nd<@m, [S(1), B]>}
func.func @pin_with_too_many_components() { return }

// -----

sbp.machine @m [#sbp.level<"gpu" x 4, alpha = 1.0e-6, beta = 1.0e-10>]
// expected-error @below {{placement splits dimension 2 of a tensor of rank 2}}
nn.parameter @w : tensor<8x16xf32> = #nn.zeros {sbp.pin = #sbp.nd<@m, [S(2)]>}
func.func @pin_beyond_the_rank() { return }

// -----

sbp.machine @m [#sbp.level<"gpu" x 4, alpha = 1.0e-6, beta = 1.0e-10>]
// expected-error @below {{a parameter is kept Split or Broadcast}}
nn.parameter @w : tensor<8x16xf32> = #nn.zeros {sbp.pin = #sbp.nd<@m, [P(sum)]>}
func.func @partial_parameter() { return }

// -----

sbp.machine @m [#sbp.level<"gpu" x 4, alpha = 1.0e-6, beta = 1.0e-10>]
// expected-error @below {{is pinned on @other, but the program is placed on @m}}
nn.parameter @w : tensor<8x16xf32> = #nn.zeros {sbp.pin = #sbp.nd<@other, [B]>}
func.func @pin_on_another_mesh() { return }

// -----

sbp.machine @m [#sbp.level<"gpu" x 4, alpha = 1.0e-6, beta = 1.0e-10>]
// expected-error @below {{is pinned on @other, but the program is placed on @m}}
nn.parameter @w : tensor<8x16xf32> = #nn.zeros {sbp.state_pin = #sbp.nd<@other, [B]>}
func.func @state_pin_on_another_mesh() { return }

// -----

sbp.machine @m [#sbp.level<"gpu" x 4, alpha = 1.0e-6, beta = 1.0e-10>]
// expected-error @below {{is pinned to 4 : i64, which is no #sbp.nd placement}}
nn.parameter @w : tensor<8x16xf32> = #nn.zeros {sbp.state_pin = 4}
func.func @state_pin_to_a_number() { return }

// -----

sbp.machine @m [#sbp.level<"gpu" x 4, alpha = 1.0e-6, beta = 1.0e-10>]
func.func @signatures_of_too_many_axes(%x: tensor<8xf32> {nn.input = "x"}) -> tensor<8xf32> {
  // expected-error @below {{is pinned to 2 signatures, but @m has 1 axis; a pin has one per axis}}
  %y = nn.relu %x {sbp.signature = #sbp.signature<[(S(0)) -> (S(0)), (B) -> (B)]>} : tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

sbp.machine @m [#sbp.level<"node" x 2, alpha = 1.0e-6, beta = 1.0e-10>,
                #sbp.level<"gpu" x 4, alpha = 1.0e-6, beta = 1.0e-10>]
func.func private @signature_of_too_few_axes(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{is pinned to 1 signature, but @m has 2 axes; a pin has one per axis}}
  %y = nn.relu %x {sbp.signature = #sbp.signature<[(S(0)) -> (S(0))]>} : tensor<8xf32>
  return %y : tensor<8xf32>
}
func.func @entry(%x: tensor<8xf32> {nn.input = "x"}) -> tensor<8xf32> {
  %y = call @signature_of_too_few_axes(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

// Each axis alone could split the rows.

sbp.machine @m [#sbp.level<"node" x 2, alpha = 1.0e-6, beta = 1.0e-10>,
                #sbp.level<"gpu" x 3, alpha = 1.0e-6, beta = 1.0e-10>]
func.func @signatures_that_split_unevenly(%x: tensor<12x8xf32> {nn.input = "x"}) -> tensor<3x32xf32> {
  // expected-error @below {{splits an extent of 3 over 6 devices, but must split it into equal parts}}
  %y = nn.reshape %x {sbp.signature = #sbp.signature<[(S(0)) -> (S(0)), (S(0)) -> (S(0))]>}
      : tensor<12x8xf32> -> tensor<3x32xf32>
  return %y : tensor<3x32xf32>
}

// -----

// expected-error @below {{the module defines no sbp.machine to place the program on}}
module {
  func.func @no_machine() { return }
}

// -----

// expected-note @below {{the first is defined here}}
sbp.machine @m [#sbp.level<"gpu" x 4, alpha = 1.0e-6, beta = 1.0e-10>]
// expected-error @below {{the program can be placed on 2 machines, @m @n; --mesh NAME chooses one}}
sbp.machine @n [#sbp.level<"gpu" x 4, alpha = 1.0e-6, beta = 1.0e-10>]
func.func @two_machines() { return }

// -----

sbp.machine @m [#sbp.level<"gpu" x 4, alpha = 1.0e-6, beta = 1.0e-10>]
// expected-note @below {{the first is defined here}}
sbp.mesh @line of @m [#sbp.axis<"all" x 4 in "gpu">]
// expected-error @below {{the program can be placed on 2 meshes, @line @grid; --mesh NAME chooses one}}
sbp.mesh @grid of @m [#sbp.axis<"row" x 2 in "gpu">, #sbp.axis<"column" x 2 in "gpu">]
func.func @two_meshes() { return }

// -----

sbp.machine @m [#sbp.level<"gpu" x 4, alpha = 1.0e-6, beta = 1.0e-10>]
func.func private @layer(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{calls @layer while it is being placed; layers must not be recursive}}
  %y = call @layer(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func @recursion(%x: tensor<4xf32> {nn.input = "x"}) -> tensor<4xf32> {
  %y = call @layer(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
