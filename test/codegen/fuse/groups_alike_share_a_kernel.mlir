// RUN: sbpc %s --emit plan -o - | FileCheck %s
// RUN: sbpc %s --target cuda --emit plan -o - | FileCheck %s --check-prefix=GPU

// Two layers run one kernel, which is named after its ops. Ops in another order are another
// kernel, and so are other constants. (A result in another operand's memory would be, too.)

//          CHECK: "kernels"
//      CHECK-DAG: fused_add_relu_{{[0-9]+}}_8x64
//      CHECK-DAG: fused_relu_add_{{[0-9]+}}_8x64
//  CHECK-COUNT-2: fused_mul_exp_{{[0-9]+}}_8x64

//      GPU: "name": "fused_add_relu_{{[0-9]+}}_8x64"
//  GPU-NOT: "name": "fused_add_relu

sbp.machine @one [#sbp.level<"rank" x 1, alpha = 0.0, beta = 0.0>]
!t = tensor<8x64xf32>
rank.program @all on @one ranks [0] {
  func.func @f(%x: !t {nn.input = "x", rank.whole = tensor<8x64xf32, #sbp.nd<@one, [B]>>})
      -> (!t {nn.output = "y", rank.whole = tensor<8x64xf32, #sbp.nd<@one, [B]>>}) {
    %two = nn.constant dense<2.0> : tensor<f32>
    %three = nn.constant dense<3.0> : tensor<f32>
    %p0 = nn.softmax %x dim 1 : !t
    %a1 = nn.add %p0, %p0 : (!t, !t) -> !t
    %r1 = nn.relu %a1 : !t
    %p1 = nn.softmax %r1 dim 1 : !t
    %a2 = nn.add %p1, %p1 : (!t, !t) -> !t
    %r2 = nn.relu %a2 : !t
    %p2 = nn.softmax %r2 dim 1 : !t
    %r3 = nn.relu %p2 : !t
    %a3 = nn.add %r3, %r3 : (!t, !t) -> !t
    %p3 = nn.softmax %a3 dim 1 : !t
    %m1 = nn.mul %p3, %two : (!t, tensor<f32>) -> !t
    %e1 = nn.exp %m1 : !t
    %p4 = nn.softmax %e1 dim 1 : !t
    %m2 = nn.mul %p4, %three : (!t, tensor<f32>) -> !t
    %e2 = nn.exp %m2 : !t
    return %e2 : !t
  }
}
