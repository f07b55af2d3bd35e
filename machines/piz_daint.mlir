// Piz Daint, the hybrid partition: 64 nodes (of about 5,700) with one P100 each.
//
// node   alpha 9.6 us: between hosts, NCCL's own model of a ring step with its
//   Simple protocol (github.com/NVIDIA/nccl, src/graph/tuning.cc, 2.8).
//   beta: Aries, 8.5 to 10 GB/s peak (AutoDDL, section 5.2); the lower.
//   AutoDDL fits both on the machine, and does not print what it found.
// device P100 PCIe 16 GB: 732 GB/s, 4.7 / 9.3 / 18.7 TFLOP/s in f64 / f32 / f16
//   (NVIDIA, Tesla P100 data sheet).
//
// Efficiency: a kernel takes 5 us to start and then runs at 0.8 of the peak
// (large bf16 matmuls on H100 reach 780 of 989 TFLOP/s:
// gist.github.com/Chillee/2ec89696db8b7ed1c24461159e325405); the start is our
// assumption. Points of FLOPs / peak / (5 us + FLOPs / (0.8 peak)).

sbp.machine @piz_daint [
  #sbp.level<"node" x 64, alpha = 9.6e-6, beta = 1.18e-10>]
  device #sbp.device<kind = gpu, memory = 16GB, bandwidth = 7.32e11, rates = [
    #sbp.rate<f64, 4.7e12, efficiency = [
      1.0e6 : 0.0404, 1.0e8 : 0.673, 1.0e9 : 0.785, 1.0e10 : 0.798]>,
    #sbp.rate<f32, 9.3e12, efficiency = [
      1.0e6 : 0.0209, 1.0e8 : 0.583, 1.0e9 : 0.771, 1.0e10 : 0.797]>,
    #sbp.rate<f16, 1.87e13, efficiency = [
      1.0e6 : 0.0106, 1.0e8 : 0.458, 1.0e9 : 0.744, 1.0e10 : 0.794, 1.0e11 : 0.799]>]>
