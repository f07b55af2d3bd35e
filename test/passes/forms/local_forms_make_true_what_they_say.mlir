// RUN: sbp-opt %s --sbp-verify-local --split-input-file --verify-diagnostics

// The placement of a tensor follows from its operands. If it is not the one that an op
// needs, or that the program states for a parameter or a result, that is an error.

module {
  sbp.machine @m [#sbp.level<"gpu" x 2, alpha = 2.0e-6, beta = 2.0e-10>]
  rank.program @all on @m ranks [0, 1] {
    nn.parameter @w : tensor<4x4xf32> = #nn.normal<0.5> {rank.whole = tensor<4x4xf32, #sbp.nd<@m, [B]>>}
    func.func @step(%x: tensor<4x4xf32> {rank.whole = tensor<8x4xf32, #sbp.nd<@m, [S(0)]>>},
                    %lr: tensor<f32> {rank.whole = tensor<f32, #sbp.nd<@m, [B]>>})
        -> (tensor<f32> {rank.whole = tensor<f32, #sbp.nd<@m, [P(sum)]>>}) {
      %w = nn.get @w : tensor<4x4xf32>
      %g = nn.einsum "bi,bj->ij" %x, %x : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      %s = rank.all_reduce sum %g over ["gpu"] : tensor<4x4xf32>
      %u = nn.sgd %w, %s, %lr {weight_decay = 0.0 : f64} : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
      nn.set @w, %u : tensor<4x4xf32>
      %l = nn.mse %x, %x {count = 32 : i64} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<f32>
      return %l : tensor<f32>
    }
  }
}

// -----

module {
  sbp.machine @m [#sbp.level<"gpu" x 2, alpha = 2.0e-6, beta = 2.0e-10>]
  rank.program @all on @m ranks [0, 1] {
    nn.parameter @w : tensor<4x4xf32> = #nn.normal<0.5> {rank.whole = tensor<4x4xf32, #sbp.nd<@m, [B]>>}
    func.func @without_a_reduction(%x: tensor<4x4xf32> {rank.whole = tensor<8x4xf32, #sbp.nd<@m, [S(0)]>>},
                                   %lr: tensor<f32> {rank.whole = tensor<f32, #sbp.nd<@m, [B]>>}) {
      %w = nn.get @w : tensor<4x4xf32>
      %g = nn.einsum "bi,bj->ij" %x, %x : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      // expected-error @+1 {{takes operands that are (B, P(sum), B) on mesh axis 'gpu', which none of its signatures has; the nearest is (B, B, B) -> (B)}}
      %u = nn.sgd %w, %g, %lr {weight_decay = 0.0 : f64} : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
      nn.set @w, %u : tensor<4x4xf32>
      return
    }
  }
}

// -----

module {
  sbp.machine @m [#sbp.level<"gpu" x 2, alpha = 2.0e-6, beta = 2.0e-10>]
  rank.program @all on @m ranks [0, 1] {
    nn.parameter @w : tensor<4x4xf32> = #nn.normal<0.5> {rank.whole = tensor<4x4xf32, #sbp.nd<@m, [B]>>}
    func.func private @layer(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
      %g = nn.einsum "bi,bj->ij" %x, %x : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      return %g : tensor<4x4xf32>
    }
    func.func @of_a_layer_in_parts(%x: tensor<4x4xf32> {rank.whole = tensor<8x4xf32, #sbp.nd<@m, [S(0)]>>}) {
      %g = nn.repeat 2 @sum(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
      // expected-error @+1 {{sets @w to a tensor that is P(sum) on mesh axis 'gpu', but declared as B}}
      nn.set @w, %g : tensor<4x4xf32>
      return
    }
    func.func private @sum(%x: tensor<4x4xf32>, %sum: tensor<4x4xf32>) -> tensor<4x4xf32> {
      %g = call @layer(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
      %s = nn.add %sum, %g : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      return %s : tensor<4x4xf32>
    }
  }
}

// -----

module {
  sbp.machine @m [#sbp.level<"gpu" x 2, alpha = 2.0e-6, beta = 2.0e-10>]
  rank.program @all on @m ranks [0, 1] {
    func.func @of_another_kind(%x: tensor<4x4xf32> {rank.whole = tensor<8x4xf32, #sbp.nd<@m, [S(0)]>>}) {
      %g = nn.reduce sum %x over [0] : tensor<4x4xf32> -> tensor<4xf32>
      // expected-error @+1 {{takes a tensor that is P(sum) on mesh axis 'gpu', not P(max)}}
      %s = rank.all_reduce max %g over ["gpu"] : tensor<4xf32>
      return
    }
  }
}

// -----

module {
  sbp.machine @m [#sbp.level<"gpu" x 2, alpha = 2.0e-6, beta = 2.0e-10>]
  rank.program @all on @m ranks [0, 1] {
    func.func @of_another_dimension(%x: tensor<4x4xf32> {rank.whole = tensor<8x4xf32, #sbp.nd<@m, [S(0)]>>}) {
      // expected-error @+1 {{takes a tensor that is S(0) on mesh axis 'gpu', not S(1)}}
      %g = rank.all_gather %x dim 1 over ["gpu"] : tensor<4x4xf32> -> tensor<4x8xf32>
      return
    }
  }
}

// -----

module {
  sbp.machine @m [#sbp.level<"node" x 2, alpha = 2.0e-6, beta = 2.0e-10>, #sbp.level<"gpu" x 2, alpha = 2.0e-6, beta = 2.0e-10>]
  rank.program @all on @m ranks [0, 1, 2, 3] {
    func.func @on_one_axis_only(%x: tensor<4x4xf32> {rank.whole = tensor<16x4xf32, #sbp.nd<@m, [S(0), S(0)]>>})
        -> (tensor<4xf32> {rank.whole = tensor<4xf32, #sbp.nd<@m, [B, B]>>}) {
      %g = nn.reduce sum %x over [0] : tensor<4x4xf32> -> tensor<4xf32>
      %s = rank.all_reduce sum %g over ["gpu"] : tensor<4xf32>
      // expected-error @+1 {{returns as result 0 a tensor that is P(sum) on mesh axis 'node', but declared as B}}
      return %s : tensor<4xf32>
    }
  }
}

// -----

module {
  sbp.machine @m [#sbp.level<"gpu" x 2, alpha = 2.0e-6, beta = 2.0e-10>]
  rank.program @all on @m ranks [0, 1] {
    func.func @count_of_a_part(%x: tensor<4x4xf32> {rank.whole = tensor<8x4xf32, #sbp.nd<@m, [S(0)]>>}) {
      // expected-error @+1 {{divides by 16, but the mean is over 32 elements on all ranks}}
      %l = nn.mse %x, %x : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<f32>
      return
    }
  }
}

// -----

// A placement that cannot be derived is assumed to be right.
module {
  sbp.machine @m [#sbp.level<"gpu" x 2, alpha = 2.0e-6, beta = 2.0e-10>]
  rank.program @all on @m ranks [0, 1] {
    nn.parameter @w : tensor<16xf32> = #nn.zeros {rank.whole = tensor<32xf32, #sbp.nd<@m, [S(0)]>>}
    func.func @after_a_reshape(%x: tensor<4x4xf32> {rank.whole = tensor<8x4xf32, #sbp.nd<@m, [S(0)]>>}) {
      %r = nn.reshape %x : tensor<4x4xf32> -> tensor<16xf32>
      nn.set @w, %r : tensor<16xf32>
      return
    }
  }
}

// -----

module {
  sbp.machine @m [#sbp.level<"gpu" x 2, alpha = 2.0e-6, beta = 2.0e-10>]
  rank.program @all on @m ranks [0, 1] {
    nn.parameter @w : tensor<16xf32> = #nn.normal<0.5> {rank.whole = tensor<16xf32, #sbp.nd<@m, [B]>>}
    func.func @terms_are_reshaped_and_joined(%x: tensor<4x4xf32> {rank.whole = tensor<8x4xf32, #sbp.nd<@m, [S(0)]>>}) {
      %g = nn.einsum "bi,bj->ij" %x, %x : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      %a = nn.slice %g [0, 0] [2, 4] : tensor<4x4xf32> -> tensor<2x4xf32>
      %b = nn.slice %g [2, 0] [2, 4] : tensor<4x4xf32> -> tensor<2x4xf32>
      %c = nn.concat %b, %a dim 0 : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
      %r = nn.reshape %c : tensor<4x4xf32> -> tensor<16xf32>
      // expected-error @+1 {{sets @w to a tensor that is P(sum) on mesh axis 'gpu', but declared as B}}
      nn.set @w, %r : tensor<16xf32>
      return
    }
  }
}

// -----

module {
  sbp.machine @m [#sbp.level<"gpu" x 2, alpha = 2.0e-6, beta = 2.0e-10>]
  rank.program @all on @m ranks [0, 1] {
    func.func @parts_are_reshaped(%x: tensor<4x6x3xf32> {rank.whole = tensor<4x12x3xf32, #sbp.nd<@m, [S(1)]>>}) {
      %r = nn.reshape %x : tensor<4x6x3xf32> -> tensor<2x2x18xf32>
      %s = nn.slice %r [0, 0, 0] [2, 1, 18] : tensor<2x2x18xf32> -> tensor<2x1x18xf32>
      // expected-error @+1 {{takes a tensor that is S(2) on mesh axis 'gpu', not S(0)}}
      %g = rank.all_gather %s dim 0 over ["gpu"] : tensor<2x1x18xf32> -> tensor<4x1x18xf32>
      return
    }
  }
}

// -----

// What an extent of one is of, is not told.

module {
  sbp.machine @m [#sbp.level<"gpu" x 2, alpha = 2.0e-6, beta = 2.0e-10>]
  rank.program @all on @m ranks [0, 1] {
    func.func @parts_of_one(%x: tensor<1x8xf32> {rank.whole = tensor<2x8xf32, #sbp.nd<@m, [S(0)]>>}) {
      %r = nn.reshape %x : tensor<1x8xf32> -> tensor<8x1xf32>
      %g = rank.all_gather %r dim 0 over ["gpu"] : tensor<8x1xf32> -> tensor<16x1xf32>
      return
    }
  }
}

// -----

module {
  sbp.machine @m [#sbp.level<"gpu" x 2, alpha = 2.0e-6, beta = 2.0e-10>]
  sbp.mesh @front of @m ranks [0] [#sbp.axis<"a" x 1 in "gpu">]
  sbp.mesh @back of @m ranks [1] [#sbp.axis<"a" x 1 in "gpu">]
  // expected-error @+1 {{'rank.transfer' op is sent 0 times by rank 0, but received 2 times by rank 1, in @f}}
  rank.transfer @t : tensor<4xf32, #sbp.nd<@front, [B]>> to tensor<4xf32, #sbp.nd<@back, [B]>>
  rank.program @first on @m ranks [0] {
    func.func @f() {
      return
    }
  }
  rank.program @second on @m ranks [1] {
    func.func @f() {
      %y = nn.repeat 2 @part() : () -> tensor<4xf32>
      return
    }
    func.func private @part(%sum: tensor<4xf32>) -> tensor<4xf32> {
      %x = rank.receive through @t : tensor<4xf32>
      %next = nn.add %sum, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      return %next : tensor<4xf32>
    }
  }
}

// -----

module {
  sbp.machine @m [#sbp.level<"gpu" x 1, alpha = 2.0e-6, beta = 2.0e-10>]
  rank.program @all on @m ranks [0] {
    func.func @of_a_layer_in_itself(%x: tensor<4xf32>) {
      %y = call @layer(%x) : (tensor<4xf32>) -> tensor<4xf32>
      return
    }
    func.func private @layer(%x: tensor<4xf32>) -> tensor<4xf32> {
      // expected-error @+1 {{makes @layer call itself; a layer must not be recursive}}
      %y = call @layer(%x) : (tensor<4xf32>) -> tensor<4xf32>
      return %y : tensor<4xf32>
    }
  }
}
