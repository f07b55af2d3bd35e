// Four DGX H100: eight devices in each, every one with a network card of its own.
//
// node   alpha 9.6 us: between hosts, NCCL's own model of a ring step with its
//   Simple protocol (github.com/NVIDIA/nccl, src/graph/tuning.cc, 2.8).
//   beta: one 400 Gb/s card per device, 50 GB/s (NVIDIA, DGX H100 data sheet).
// gpu    alpha 3.4 us: over NVLink, from the same place. beta: 450 GB/s each way
//   (same data sheet), of which 0.78 as on A100 (235 of 300): 352 GB/s.
// device H100 SXM5 80 GB: 3.35 TB/s, 33.5 / 66.9 / 989 TFLOP/s in f64 / f32 / f16
//   and bf16, dense (NVIDIA, H100 data sheet).
//
// Efficiency: a kernel takes 5 us to start and then runs at 0.8 of the peak
// (large bf16 matmuls on H100 reach 780 of 989 TFLOP/s:
// gist.github.com/Chillee/2ec89696db8b7ed1c24461159e325405); the start is our
// assumption. Points of FLOPs / peak / (5 us + FLOPs / (0.8 peak)).

sbp.machine @dgx_h100 [
  #sbp.level<"node" x 4, alpha = 9.6e-6, beta = 2.0e-11>,
  #sbp.level<"gpu" x 8, alpha = 3.4e-6, beta = 2.84e-12>]
  device #sbp.device<kind = gpu, memory = 80GB, bandwidth = 3.35e12, rates = [
    #sbp.rate<f64, 3.35e13, efficiency = [
      1.0e6 : 0.00593, 1.0e8 : 0.342, 1.0e9 : 0.705, 1.0e10 : 0.789, 1.0e11 : 0.799]>,
    #sbp.rate<f32, 6.69e13, efficiency = [
      1.0e6 : 0.00298, 1.0e8 : 0.218, 1.0e9 : 0.631, 1.0e10 : 0.779, 1.0e11 : 0.798]>,
    #sbp.rate<f16, 9.89e14, efficiency = [
      1.0e6 : 2.02e-04, 1.0e8 : 0.0197, 1.0e9 : 0.161, 1.0e10 : 0.573, 1.0e11 : 0.77, 1.0e12 : 0.797]>,
    #sbp.rate<bf16, 9.89e14, efficiency = [
      1.0e6 : 2.02e-04, 1.0e8 : 0.0197, 1.0e9 : 0.161, 1.0e10 : 0.573, 1.0e11 : 0.77, 1.0e12 : 0.797]>]>
