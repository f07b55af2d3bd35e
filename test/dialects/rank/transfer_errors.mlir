// RUN: sbp-opt %s --split-input-file --verify-diagnostics

sbp.machine @m [#sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-11>]
sbp.mesh @a of @m ranks [0] [#sbp.axis<"x" x 1 in "gpu">]
sbp.mesh @b of @m ranks [1] [#sbp.axis<"x" x 1 in "gpu">]
// expected-error @+1 {{has the end 'tensor<4xf32>'; its placement must be Split or Broadcast}}
rank.transfer @transfer_c1_placed : tensor<4xf32> to tensor<4xf32, #sbp.nd<@b, [B]>>

// -----

sbp.machine @m [#sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-11>]
sbp.mesh @a of @m ranks [0] [#sbp.axis<"x" x 1 in "gpu">]
sbp.mesh @b of @m ranks [1] [#sbp.axis<"x" x 1 in "gpu">]
// expected-error @+1 {{has the end 'tensor<4xf32, #sbp.nd<@a, [P(sum)]>>'; its placement must be Split or Broadcast}}
rank.transfer @transfer_c1_partial : tensor<4xf32, #sbp.nd<@a, [P(sum)]>> to tensor<4xf32, #sbp.nd<@b, [B]>>

// -----

sbp.machine @m [#sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-11>]
sbp.mesh @a of @m ranks [0] [#sbp.axis<"x" x 1 in "gpu">]
sbp.mesh @b of @m ranks [1] [#sbp.axis<"x" x 1 in "gpu">]
// expected-error @+1 {{goes from @a to itself; a transfer joins two groups}}
rank.transfer @transfer_c1_meshes : tensor<4xf32, #sbp.nd<@a, [B]>> to tensor<4xf32, #sbp.nd<@a, [S(0)]>>

// -----

sbp.machine @m [#sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-11>]
sbp.mesh @a of @m ranks [0] [#sbp.axis<"x" x 1 in "gpu">]
sbp.mesh @b of @m ranks [1] [#sbp.axis<"x" x 1 in "gpu">]
// expected-error @+1 {{only the placement may change}}
rank.transfer @transfer_c2 : tensor<4xf32, #sbp.nd<@a, [B]>> to tensor<5xf32, #sbp.nd<@b, [B]>>

// -----

sbp.machine @m [#sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-11>]
sbp.mesh @a of @m ranks [0] [#sbp.axis<"x" x 1 in "gpu">]
sbp.mesh @b of @m ranks [1] [#sbp.axis<"x" x 1 in "gpu">]
// expected-error @+1 {{uses the mesh @nowhere, which the module does not define}}
rank.transfer @transfer_c3_mesh : tensor<4xf32, #sbp.nd<@nowhere, [B]>> to tensor<4xf32, #sbp.nd<@b, [B]>>

// -----

sbp.machine @m [#sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-11>]
sbp.mesh @a of @m ranks [0] [#sbp.axis<"x" x 1 in "gpu">]
sbp.mesh @b of @m ranks [1] [#sbp.axis<"x" x 1 in "gpu">]
// expected-error @+1 {{has a placement of 2 components, but @b has 1 axes}}
rank.transfer @transfer_c3_components : tensor<4xf32, #sbp.nd<@a, [B]>> to tensor<4xf32, #sbp.nd<@b, [B, B]>>

// -----

sbp.machine @m [#sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-11>]
sbp.mesh @a of @m ranks [0] [#sbp.axis<"x" x 1 in "gpu">]
sbp.mesh @b of @m ranks [1] [#sbp.axis<"x" x 1 in "gpu">]
rank.transfer @t : tensor<4xf32, #sbp.nd<@a, [B]>> to tensor<4xf32, #sbp.nd<@b, [B]>>
rank.program @p on @m ranks [0] {
  func.func @send_c1(%x: tensor<4xf32>) {
    // expected-error @+1 {{names @u, which is no rank.transfer of the module}}
    rank.send %x through @u : tensor<4xf32>
    return
  }
}

// -----

sbp.machine @m [#sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-11>]
sbp.mesh @a of @m ranks [0] [#sbp.axis<"x" x 1 in "gpu">]
sbp.mesh @b of @m ranks [1] [#sbp.axis<"x" x 1 in "gpu">]
// expected-note @+1 {{the transfer is here}}
rank.transfer @t : tensor<4xf32, #sbp.nd<@a, [B]>> to tensor<4xf32, #sbp.nd<@b, [B]>>
rank.program @p on @m ranks [0] {
  func.func @send_c2_type(%x: tensor<5xf32>) {
    // expected-error @+1 {{sends 'tensor<5xf32>'; these ranks have 'tensor<4xf32>'}}
    rank.send %x through @t : tensor<5xf32>
    return
  }
}

// -----

sbp.machine @m [#sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-11>]
sbp.mesh @a of @m ranks [0] [#sbp.axis<"x" x 1 in "gpu">]
sbp.mesh @b of @m ranks [1] [#sbp.axis<"x" x 1 in "gpu">]
// expected-note @+1 {{the transfer is here}}
rank.transfer @t : tensor<4xf32, #sbp.nd<@a, [B]>> to tensor<4xf32, #sbp.nd<@b, [B]>>
rank.program @p on @m ranks [1] {
  func.func @send_c2_group(%x: tensor<4xf32>) {
    // expected-error @+1 {{stands in the program of ranks that are not of group @a}}
    rank.send %x through @t : tensor<4xf32>
    return
  }
}

// -----

sbp.machine @m [#sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-11>]
sbp.mesh @a of @m ranks [0] [#sbp.axis<"x" x 1 in "gpu">]
sbp.mesh @b of @m ranks [1] [#sbp.axis<"x" x 1 in "gpu">]
rank.transfer @t : tensor<4xf32, #sbp.nd<@a, [B]>> to tensor<4xf32, #sbp.nd<@b, [B]>>
rank.program @p on @m ranks [1] {
  func.func @receive_c1() {
    // expected-error @+1 {{names @u, which is no rank.transfer of the module}}
    %y = rank.receive through @u : tensor<4xf32>
    return
  }
}

// -----

sbp.machine @m [#sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-11>]
sbp.mesh @a of @m ranks [0] [#sbp.axis<"x" x 1 in "gpu">]
sbp.mesh @b of @m ranks [1] [#sbp.axis<"x" x 1 in "gpu">]
// expected-note @+1 {{the transfer is here}}
rank.transfer @t : tensor<4xf32, #sbp.nd<@a, [B]>> to tensor<4xf32, #sbp.nd<@b, [B]>>
rank.program @p on @m ranks [1] {
  func.func @receive_c2_type() {
    // expected-error @+1 {{receives 'tensor<5xf32>'; these ranks have 'tensor<4xf32>'}}
    %y = rank.receive through @t : tensor<5xf32>
    return
  }
}

// -----

sbp.machine @m [#sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-11>]
sbp.mesh @a of @m ranks [0] [#sbp.axis<"x" x 1 in "gpu">]
sbp.mesh @b of @m ranks [1] [#sbp.axis<"x" x 1 in "gpu">]
// expected-note @+1 {{the transfer is here}}
rank.transfer @t : tensor<4xf32, #sbp.nd<@a, [B]>> to tensor<4xf32, #sbp.nd<@b, [B]>>
rank.program @p on @m ranks [0] {
  func.func @receive_c2_group() {
    // expected-error @+1 {{stands in the program of ranks that are not of group @b}}
    %y = rank.receive through @t : tensor<4xf32>
    return
  }
}

// -----

func.func @send_c1_program(%x: tensor<4xf32>) {
  // expected-error @+1 {{stands outside of a rank.program}}
  rank.send %x through @t : tensor<4xf32>
  return
}
