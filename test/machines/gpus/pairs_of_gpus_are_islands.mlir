// RUN: env LD_LIBRARY_PATH=%driver:%nvml SBP_SIM_GPUS=4 SBP_SIM_LINKS=pairs SBP_SIM_CHIP=80 \
// RUN:   sbpc machine --target cuda | FileCheck %s
// RUN: env LD_LIBRARY_PATH=%driver:%nvml SBP_SIM_GPUS=4 SBP_SIM_LINKS=pairs SBP_SIM_CHIP=80 \
// RUN:   sbpc machine --target cuda -n 2 | FileCheck %s --check-prefix=PAIR

// CHECK: 4 x Stand-in (sm_80, {{.*}}); island x 2 by PCIe at 31.5 GB/s, gpu x 2 by NVLink at 100 GB/s; FLOP/s as in machines/a100_node.mlir.
// CHECK-NEXT: #sbp.level<"island" x 2, alpha = 5.7e-6, beta = 4.069e-11>, #sbp.level<"gpu" x 2, alpha = 3.4e-6, beta = 1.282e-11>

// PAIR: 2 x Stand-in (sm_80, {{.*}}); gpu x 2 by NVLink at 100 GB/s
// PAIR-NEXT: sbp.machine @host [#sbp.level<"gpu" x 2, alpha = 3.4e-6, beta = 1.282e-11>]
