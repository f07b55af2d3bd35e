// RUN: env LD_LIBRARY_PATH=%driver:%nvml SBP_SIM_GPUS=4 SBP_SIM_LINKS=halves \
// RUN:   sbpc machine --target cuda | FileCheck %s

// NVLink joins GPUs 0 and 2, and 1 and 3. Parts of a machine have consecutive ranks.

// CHECK: gpu x 4 by PCIe at 63 GB/s, where faster links do not count, as they do not join groups of equal size that follow each other (CUDA_VISIBLE_DEVICES sets the order);
// CHECK-NEXT: sbp.machine @host [#sbp.level<"gpu" x 4, alpha = 5.7e-6, beta = 2.035e-11>]
