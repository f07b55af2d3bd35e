// RUN: env LD_LIBRARY_PATH=%driver:%nvml SBP_SIM_GPUS=8 SBP_SIM_LINKS=sockets \
// RUN:   sbpc machine --target cuda | FileCheck %s

// All four GPUs of a socket share its link to the other one.

// CHECK: socket x 2 by PCIe between sockets at 2.5 GB/s, gpu x 4 by PCIe at 63 GB/s
// CHECK-NEXT: #sbp.level<"socket" x 2, alpha = 5.7e-6, beta = 5.128e-10>, #sbp.level<"gpu" x 4, alpha = 5.7e-6, beta = 2.035e-11>
