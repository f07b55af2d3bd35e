// RUN: sbp-opt %s --sbp-fuse-elementwise | FileCheck %s

// Nothing here is fused, and each function says why.
//  CHECK-NOT: rank.fused
// CHECK-LABEL: @by_shape

sbp.machine @one [#sbp.level<"rank" x 1, alpha = 0.0, beta = 0.0>]
!t = tensor<8x64xf32>
!row = tensor<64xf32>
rank.program @all on @one ranks [0] {
  // The results have two shapes.
  func.func @by_shape(%x: !row, %y: !t) -> !t {
    %a = nn.exp %x : !row
    %b = nn.add %y, %a : (!t, !row) -> !t
    return %b : !t
  }
  // An op in between needs the first one's result.
  func.func @by_use(%x: !t) -> !t {
    %a = nn.exp %x : !t
    %p = nn.softmax %a dim 1 : !t
    %b = nn.add %a, %p : (!t, !t) -> !t
    return %b : !t
  }
  // Each operand of the first op would live on during the softmax, instead of one result.
  func.func private @by_memory(%x: !t, %y: !t, %z: !t) -> !t {
    %a = nn.add %x, %y : (!t, !t) -> !t
    %p = nn.softmax %z dim 1 : !t
    %b = nn.add %a, %p : (!t, !t) -> !t
    return %b : !t
  }
  // A row is no more in one piece, but in rows of three elements.
  func.func @by_loops(%x: tensor<1024x3xf32>, %y: tensor<3xf32>) -> tensor<1024x3xf32> {
    %a = nn.gelu %x : tensor<1024x3xf32>
    %b = nn.add %a, %y : (tensor<1024x3xf32>, tensor<3xf32>) -> tensor<1024x3xf32>
    return %b : tensor<1024x3xf32>
  }
  // The first has no element of its result from one element of its operand.
  func.func @by_kind(%x: !t) -> !t {
    %a = nn.softmax %x dim 0 : !t
    %b = nn.exp %a : !t
    return %b : !t
  }
  // The tasks of a pipeline run at different times.
  func.func @by_task(%x: !t) -> !t {
    %a = nn.exp %x {rank.task = #sbp.task<0F>} : !t
    %b = nn.tanh %a {rank.task = #sbp.task<1F>} : !t
    return %b : !t
  }
  // Parameters are updated at the end of a step, after other results are made.
  func.func @by_update(%x: !t) -> !t {
    %w = nn.get @w : !t
    %a = nn.add %w, %x : (!t, !t) -> !t
    nn.set @w, %a : !t
    %b = nn.sub %w, %x : (!t, !t) -> !t
    return %b : !t
  }
  nn.parameter @w : !t = #nn.zeros {rank.whole = tensor<8x64xf32, #sbp.nd<@one, [B]>>}
}
