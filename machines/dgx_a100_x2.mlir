// Two servers of eight A100 on Google Cloud, as in AutoDDL, section 5.3.
//
// node   alpha 9.6 us: between hosts, NCCL's own model of a ring step with its
//   Simple protocol (github.com/NVIDIA/nccl, src/graph/tuning.cc, 2.8).
//   beta: 100 Gb/s peak per server (AutoDDL, section 5.3), an eighth of which
//   each of eight devices has when all go over it at once: 8 / 12.5 GB/s.
// gpu    alpha 3.4 us: over NVLink, from the same place. beta: the 235 GB/s at
//   which that model caps a ring of A100 (NVLink's peak is 300 each way).
// device A100 SXM4 40 GB: 1,555 GB/s, 9.7 / 19.5 / 312 TFLOP/s in f64 / f32 /
//   f16 and bf16 (NVIDIA, A100 data sheet).
//
// Efficiency: a kernel takes 5 us to start and then runs at 0.8 of the peak
// (large bf16 matmuls on H100 reach 780 of 989 TFLOP/s:
// gist.github.com/Chillee/2ec89696db8b7ed1c24461159e325405); the start is our
// assumption. Points of FLOPs / peak / (5 us + FLOPs / (0.8 peak)).

sbp.machine @dgx_a100_x2 [
  #sbp.level<"node" x 2, alpha = 9.6e-6, beta = 6.4e-10>,
  #sbp.level<"gpu" x 8, alpha = 3.4e-6, beta = 4.26e-12>]
  device #sbp.device<kind = gpu, memory = 40GB, bandwidth = 1.555e12, rates = [
    #sbp.rate<f64, 9.7e12, efficiency = [
      1.0e6 : 0.0201, 1.0e8 : 0.576, 1.0e9 : 0.77, 1.0e10 : 0.797]>,
    #sbp.rate<f32, 1.95e13, efficiency = [
      1.0e6 : 0.0101, 1.0e8 : 0.449, 1.0e9 : 0.742, 1.0e10 : 0.794, 1.0e11 : 0.799]>,
    #sbp.rate<f16, 3.12e14, efficiency = [
      1.0e6 : 6.41e-04, 1.0e8 : 0.0593, 1.0e9 : 0.356, 1.0e10 : 0.711, 1.0e11 : 0.79, 1.0e12 : 0.799]>,
    #sbp.rate<bf16, 3.12e14, efficiency = [
      1.0e6 : 6.41e-04, 1.0e8 : 0.0593, 1.0e9 : 0.356, 1.0e10 : 0.711, 1.0e11 : 0.79, 1.0e12 : 0.799]>]>
