// RUN: env LD_LIBRARY_PATH=%driver SBP_SIM_GPUS=4 SBP_SIM_LINKS=pairs \
// RUN:   sbpc machine --target cuda | FileCheck %s --check-prefixes=CHECK,NONE
// RUN: env LD_LIBRARY_PATH=%driver:%nvml SBP_SIM_GPUS=4 SBP_SIM_LINKS=pairs SBP_SIM_NVML=0 \
// RUN:   sbpc machine --target cuda | FileCheck %s --check-prefixes=CHECK,DEAD

// GPUs with atomic operations on each other's memory count as joined by NVLink, with the
// rate of the chip's machine file; other links are PCIe 4 with 16 lanes.

// CHECK: island x 2 by PCIe at 31.5 GB/s (assumed), gpu x 2 by NVLink at 451 GB/s (assumed), taken from peer access
// NONE-SAME: (there is no libnvidia-ml.so.1); FLOP/s
// DEAD-SAME: (nvmlInit_v2 failed: Driver Not Loaded (9)); FLOP/s
// CHECK-NEXT: #sbp.level<"island" x 2, alpha = 5.7e-6, beta = 4.07e-11>, #sbp.level<"gpu" x 2, alpha = 3.4e-6, beta = 2.84e-12>
