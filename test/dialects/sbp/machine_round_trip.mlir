// RUN: sbp-opt %s --verify-roundtrip | FileCheck %s

// CHECK: sbp.machine @full
// CHECK-SAME: prices = [#sbp.price<all_reduce of 2 up to 1000, alpha = 2.0e-6, beta = 0.0>
// CHECK-SAME: device #sbp.device<memory = 40000000000, bandwidth = 1.555e12, rates = [#sbp.rate<f32, 1.95e13, efficiency = [1.0e6 : 0.02, 1.0e9 : 0.8]>, #sbp.rate<bf16, 3.12e14>]>
sbp.machine @full [
  #sbp.level<"node" x 2, alpha = 2.0e-5, beta = 8.0e-11>,
  #sbp.level<"gpu" x 4, alpha = 5.0e-6, beta = 5.0e-12, prices = [
    #sbp.price<all_reduce of 2 up to 1000, alpha = 2.0e-6, beta = 0.0>,
    #sbp.price<all_reduce of 2, alpha = 3.0e-6, beta = 1.0e-9>,
    #sbp.price<all_reduce of 4, alpha = 3.0e-6, beta = 4.0e-12>,
    #sbp.price<all_gather up to 4096, alpha = 0.0, beta = 1.0e-11>,
    #sbp.price<all_gather, alpha = -1.0e-8, beta = 1.0e-10>,
    #sbp.price<reduce_scatter, alpha = 0.12345678901234567, beta = 1.0e-11>,
    #sbp.price<all_to_all, alpha = 1.0, beta = 0.0>]>]
  device #sbp.device<memory = 40000000000.0, bandwidth = 1.555e12, rates = [
    #sbp.rate<f32, 1.95e13, efficiency = [1.0e6 : 0.02, 1.0e9 : 0.8]>,
    #sbp.rate<bf16, 3.12e14>]>
sbp.mesh @grid of @full [
  #sbp.axis<"data" x 2 in "node">, #sbp.axis<"model" x 4 in "gpu">]

// CHECK: sbp.machine @memory_alone [{{.*}}] device #sbp.device<memory = 1000000000, bandwidth = 1.0e9>
sbp.machine @memory_alone [#sbp.level<"gpu" x 4, alpha = 0.0, beta = 0.0>]
  device #sbp.device<memory = 1.0e9, bandwidth = 1.0e9>

// Memory may have a unit.
// CHECK: sbp.machine @binary_unit [{{.*}}] device #sbp.device<memory = 1610612736, bandwidth = 1.0e9>
sbp.machine @binary_unit [#sbp.level<"gpu" x 4, alpha = 0.0, beta = 0.0>]
  device #sbp.device<memory = 1.5GiB, bandwidth = 1.0e9>

// CHECK: sbp.machine @gpus [{{.*}}] device #sbp.device<kind = gpu, memory = 1000000000, bandwidth = 1.0e9>
sbp.machine @gpus [#sbp.level<"gpu" x 4, alpha = 0.0, beta = 0.0>]
  device #sbp.device<kind = gpu, memory = 1.0e9, bandwidth = 1.0e9>

// CHECK: sbp.machine @launched [{{.*}}] device #sbp.device<kind = gpu, launch = 2.5e-6, memory = 1000000000, bandwidth = 1.0e9>
sbp.machine @launched [#sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-10>]
  device #sbp.device<kind = gpu, launch = 2.5e-6, memory = 1.0e9, bandwidth = 1.0e9>

// CHECK: sbp.machine @cpus [{{.*}}] device #sbp.device<memory = 1000000000, bandwidth = 1.0e9>
sbp.machine @cpus [#sbp.level<"cpu" x 4, alpha = 0.0, beta = 0.0>]
  device #sbp.device<kind = cpu, memory = 1.0e9, bandwidth = 1.0e9>
