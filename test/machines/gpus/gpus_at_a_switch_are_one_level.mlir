// RUN: env LD_LIBRARY_PATH=%driver:%nvml SBP_SIM_GPUS=8 SBP_SIM_MEMORY=85520809984 \
// RUN:   sbpc machine --target cuda | FileCheck %s

// CHECK: // This host, by sbpc machine: 8 x Stand-in (sm_90, 85.5 GB); gpu x 8 by NVLink at 450 GB/s; FLOP/s as in machines/h100_node.mlir.
// CHECK-NEXT: sbp.machine @host [#sbp.level<"gpu" x 8, alpha = 3.4e-6, beta = 2.849e-12>]
// CHECK-SAME: device #sbp.device<kind = gpu, launch = 2.5e-6, memory = 84520000000, bandwidth = 3.352e12, rates =
// CHECK-SAME: #sbp.rate<f32, 6.69e13, efficiency = [1.0 : 0.8]>
