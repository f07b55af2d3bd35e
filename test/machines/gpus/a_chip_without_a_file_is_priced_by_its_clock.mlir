// RUN: env LD_LIBRARY_PATH=%driver:%nvml SBP_SIM_LINKS=pcie SBP_SIM_CHIP=89 \
// RUN:   sbpc machine --target cuda | FileCheck %s

// 142 multiprocessors x 128 lanes x 2 x 2.52 GHz. One GPU has a level, too.

// CHECK: 1 x Stand-in (sm_89, {{.*}}); FLOP/s by 142 multiprocessors at 2.52 GHz with 128 lanes each, as the rates of sm_89 are not known.
// CHECK-NEXT: sbp.machine @host [#sbp.level<"gpu" x 1,
// CHECK-SAME: bandwidth = 8.641e11
// CHECK-SAME: #sbp.rate<f64, 1.431e12
// CHECK-SAME: #sbp.rate<f32, 9.161e13
// CHECK-SAME: #sbp.rate<bf16, 1.832e14
