// RUN: env LD_LIBRARY_PATH=%driver:%nvml SBP_SIM_GPUS=2 SBP_SIM_LINKS=alone \
// RUN:   sbpc machine --target cuda | FileCheck %s

// CHECK: gpu x 2 by the memory of the host at 31.5 GB/s;
// CHECK-NEXT: #sbp.level<"gpu" x 2, alpha = 1.5e-5, beta = 4.069e-11>
