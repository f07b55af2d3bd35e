// RUN: sbp-opt %s --split-input-file --verify-diagnostics

func.func @collectives_are_in_programs(%x: tensor<4xf32>) {
  // expected-error@+1 {{'rank.all_reduce' op stands outside of a rank.program}}
  %y = rank.all_reduce sum %x over ["gpu"] : tensor<4xf32>
  return
}

// -----

// expected-error@+1 {{'rank.program' op uses the mesh @nowhere, which the module does not define}}
rank.program @all on @nowhere ranks [0] {
}

// -----

sbp.machine @m [#sbp.level<"gpu" x 2, alpha = 0.0, beta = 0.0>]
// expected-error@+1 {{'rank.program' op lists rank 2 of a mesh of 2}}
rank.program @all on @m ranks [0, 2] {
}

// -----

sbp.machine @m [#sbp.level<"gpu" x 2, alpha = 0.0, beta = 0.0>]
// expected-error@+1 {{'rank.program' op lists rank 0 after 1}}
rank.program @all on @m ranks [1, 0] {
}

// -----

sbp.machine @m [#sbp.level<"gpu" x 2, alpha = 0.0, beta = 0.0>]
// expected-note@+1 {{listed here first}}
rank.program @one on @m ranks [0] {
}
// expected-error@+1 {{'rank.program' op lists rank 0 again}}
rank.program @other on @m ranks [0, 1] {
}

// -----

sbp.machine @m [#sbp.level<"gpu" x 2, alpha = 0.0, beta = 0.0>]
rank.program @all on @m ranks [0, 1] {
  func.func @axes_exist(%x: tensor<4xf32>) {
    // expected-error@+1 {{'rank.all_reduce' op spans the axis "cpu", which the mesh does not have}}
    %y = rank.all_reduce sum %x over ["cpu"] : tensor<4xf32>
    return
  }
}

// -----

sbp.machine @m [#sbp.level<"gpu" x 2, alpha = 0.0, beta = 0.0>]
rank.program @all on @m ranks [0, 1] {
  func.func @some_axis_is_named(%x: tensor<4xf32>) {
    // expected-error@+1 {{'rank.all_reduce' op spans no axis}}
    %y = rank.all_reduce sum %x over [] : tensor<4xf32>
    return
  }
}

// -----

sbp.machine @m [#sbp.level<"gpu" x 2, alpha = 0.0, beta = 0.0>]
rank.program @all on @m ranks [0, 1] {
  func.func @only_one_dimension_changes(%x: tensor<4x2xf32>) {
    // expected-error@+1 {{'rank.all_gather' op turns 'tensor<4x2xf32>' into 'tensor<8x3xf32>', which differ in more than dimension 0}}
    %y = rank.all_gather %x dim 0 over ["gpu"] : tensor<4x2xf32> -> tensor<8x3xf32>
    return
  }
}

// -----

sbp.machine @m [#sbp.level<"gpu" x 2, alpha = 0.0, beta = 0.0>]
rank.program @all on @m ranks [0, 1] {
  func.func @the_input_is_a_part_of_the_result(%x: tensor<4x2xf32>) {
    %y = rank.all_gather %x dim 0 over ["gpu"] : tensor<4x2xf32> -> tensor<9x2xf32>
    // expected-error@+1 {{'rank.all_gather' op has extent 4 along dimension 0, which is no part of 10 over ["gpu"]}}
    %z = rank.all_gather %x dim 0 over ["gpu"] : tensor<4x2xf32> -> tensor<10x2xf32>
    return
  }
}

// -----

sbp.machine @m [#sbp.level<"gpu" x 2, alpha = 0.0, beta = 0.0>]
rank.program @all on @m ranks [0, 1] {
  func.func @two_dimensions_are_exchanged(%x: tensor<4x2xf32>) {
    // expected-error@+1 {{'rank.all_to_all' op gathers and splits the same dimension 0}}
    %y = rank.all_to_all %x gather 0 split 0 over ["gpu"] : tensor<4x2xf32> -> tensor<4x2xf32>
    return
  }
}
