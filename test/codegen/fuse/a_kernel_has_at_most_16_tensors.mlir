// RUN: sbp-opt %s --sbp-fuse-elementwise | FileCheck %s

//          CHECK: rank.fused
// CHECK-COUNT-14:   nn.add
//          CHECK: rank.fused
//  CHECK-COUNT-5:   nn.add
//      CHECK-NOT: rank.fused

sbp.machine @one [#sbp.level<"rank" x 1, alpha = 0.0, beta = 0.0>]
!t = tensor<64xf32>
rank.program @all on @one ranks [0] {
  func.func @sum(%x0: !t, %x1: !t, %x2: !t, %x3: !t, %x4: !t, %x5: !t, %x6: !t, %x7: !t, %x8: !t, %x9: !t, %x10: !t, %x11: !t, %x12: !t, %x13: !t, %x14: !t, %x15: !t, %x16: !t, %x17: !t, %x18: !t, %x19: !t) -> !t {
    %s1 = nn.add %x0, %x1 : (!t, !t) -> !t
    %s2 = nn.add %s1, %x2 : (!t, !t) -> !t
    %s3 = nn.add %s2, %x3 : (!t, !t) -> !t
    %s4 = nn.add %s3, %x4 : (!t, !t) -> !t
    %s5 = nn.add %s4, %x5 : (!t, !t) -> !t
    %s6 = nn.add %s5, %x6 : (!t, !t) -> !t
    %s7 = nn.add %s6, %x7 : (!t, !t) -> !t
    %s8 = nn.add %s7, %x8 : (!t, !t) -> !t
    %s9 = nn.add %s8, %x9 : (!t, !t) -> !t
    %s10 = nn.add %s9, %x10 : (!t, !t) -> !t
    %s11 = nn.add %s10, %x11 : (!t, !t) -> !t
    %s12 = nn.add %s11, %x12 : (!t, !t) -> !t
    %s13 = nn.add %s12, %x13 : (!t, !t) -> !t
    %s14 = nn.add %s13, %x14 : (!t, !t) -> !t
    %s15 = nn.add %s14, %x15 : (!t, !t) -> !t
    %s16 = nn.add %s15, %x16 : (!t, !t) -> !t
    %s17 = nn.add %s16, %x17 : (!t, !t) -> !t
    %s18 = nn.add %s17, %x18 : (!t, !t) -> !t
    %s19 = nn.add %s18, %x19 : (!t, !t) -> !t
    return %s19 : !t
  }
}
