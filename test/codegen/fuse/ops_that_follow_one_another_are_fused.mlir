// RUN: sbp-opt %s --sbp-fuse-elementwise | FileCheck %s
// RUN: sbp-opt %s --sbp-fuse-elementwise | sbp-opt --sbp-verify-local | FileCheck %s
// RUN: sbp-opt %s --sbp-fuse-elementwise | sbp-opt --sbp-fuse-elementwise | FileCheck %s

// A chain is one kernel, whose operands of other shapes repeat. What an op outside uses is a
// result as well. Constants are numbers in the kernel, and are gone. The bits are those of
// the same ops in the same order.

// CHECK-LABEL: @chain
//  CHECK-NEXT:   nn.get
//  CHECK-NEXT:   %[[Y:.*]] = rank.fused(%{{.*}}, %{{.*}}, %{{.*}}) :
//  CHECK-NEXT:   ^bb0(%[[X:.*]]: tensor<8x64xf32>, %[[W:.*]]: tensor<64xf32>, %[[Z:.*]]: tensor<8x64xf32>):
//  CHECK-NEXT:     %[[A:.*]] = nn.add %[[X]], %[[W]]
//  CHECK-NEXT:     %[[HALF:.*]] = nn.constant dense<5.000000e-01> : tensor<f32>
//  CHECK-NEXT:     %[[B:.*]] = nn.mul %[[HALF]], %[[A]]
//  CHECK-NEXT:     %[[C:.*]] = nn.add %[[Z]], %[[B]]
//  CHECK-NEXT:     rank.yield %[[C]] : tensor<8x64xf32>
//  CHECK-NEXT:   }
//  CHECK-NEXT:   return %[[Y]]

// One op and a constant are one kernel, too, not two.
// CHECK-LABEL: @with_a_constant
//  CHECK-NEXT:   rank.fused

// Two users of one result, or of one operand, are one kernel with two results.
// CHECK-LABEL: @shared
//  CHECK-NEXT:   %[[G:.*]]:3 = rank.fused(%{{.*}}, %{{.*}}) :
//       CHECK:     rank.yield
//  CHECK-NEXT:   }
//  CHECK-NEXT:   return %[[G]]#1, %[[G]]#2, %[[G]]#0

// Ops between that are no tasks do not keep ops apart.
// CHECK-LABEL: @over_a_reshape
//       CHECK:   nn.reshape
//  CHECK-NEXT:   rank.fused
//  CHECK-NEXT:   ^bb0
//  CHECK-NEXT:     nn.exp
//  CHECK-NEXT:     nn.tanh

sbp.machine @one [#sbp.level<"rank" x 1, alpha = 0.0, beta = 0.0>]
!t = tensor<8x64xf32>
rank.program @all on @one ranks [0] {
  nn.parameter @w : tensor<64xf32> = #nn.zeros {rank.whole = tensor<64xf32, #sbp.nd<@one, [B]>>}
  func.func @chain(%x: !t, %z: !t) -> !t {
    %w = nn.get @w : tensor<64xf32>
    %a = nn.add %x, %w : (!t, tensor<64xf32>) -> !t
    %half = nn.constant dense<0.5> : tensor<f32>
    %b = nn.mul %half, %a : (tensor<f32>, !t) -> !t
    %c = nn.add %z, %b : (!t, !t) -> !t
    return %c : !t
  }
  func.func @with_a_constant(%x: !t) -> !t {
    %one = nn.constant dense<1.0> : !t
    %y = nn.sub %one, %x : (!t, !t) -> !t
    return %y : !t
  }
  func.func @shared(%x: !t, %g: !t) -> (!t, !t, !t) {
    %s = nn.sigmoid %x : !t
    %a = nn.mul %s, %g : (!t, !t) -> !t
    %b = nn.silu_grad %x, %g : (!t, !t) -> !t
    return %a, %b, %s : !t, !t, !t
  }
  func.func @over_a_reshape(%x: !t) -> (!t, tensor<512xf32>) {
    %e = nn.exp %x : !t
    %flat = nn.reshape %x : !t -> tensor<512xf32>
    %y = nn.tanh %e : !t
    return %y, %flat : !t, tensor<512xf32>
  }
}
