// One node of eight A100, joined by NVSwitch (HGX A100).
//
// gpu    alpha 3.4 us: over NVLink, NCCL's own model of a ring step with its
//   Simple protocol (github.com/NVIDIA/nccl, src/graph/tuning.cc, 2.8). beta: the
//   235 GB/s at which that model caps a ring of A100 (NVLink's peak is 300 each
//   way).
// device A100 SXM4 80 GB: 2,039 GB/s, 9.7 / 19.5 / 312 TFLOP/s in f64 / f32 / f16
//   and bf16 (NVIDIA, A100 data sheet).
//
// A kernel takes launch = 2.5 us before it computes anything: an assumption. A kernel of
// 2.9 us takes 3.8 us in a stream and 3.4 us in a graph on V100
// (NVIDIA, "Getting Started with CUDA Graphs", 2019), and an empty kernel takes about
// 2 us. A large op reaches 0.8 of the peak (large bf16 matmuls on H100
// reach 780 of 989 TFLOP/s:
// gist.github.com/Chillee/2ec89696db8b7ed1c24461159e325405).

sbp.machine @a100_node [#sbp.level<"gpu" x 8, alpha = 3.4e-6, beta = 4.26e-12>]
  device #sbp.device<kind = gpu, launch = 2.5e-6, memory = 80GB, bandwidth = 2.039e12, rates = [
    #sbp.rate<f64, 9.7e12, efficiency = [1.0 : 0.8]>,
    #sbp.rate<f32, 1.95e13, efficiency = [1.0 : 0.8]>,
    #sbp.rate<f16, 3.12e14, efficiency = [1.0 : 0.8]>,
    #sbp.rate<bf16, 3.12e14, efficiency = [1.0 : 0.8]>]>
