// One node of eight H100, joined by NVSwitch (HGX H100).
//
// gpu    alpha 3.4 us: over NVLink, NCCL's own model of a ring step with its
//   Simple protocol (github.com/NVIDIA/nccl, src/graph/tuning.cc, 2.8). beta: 450
//   GB/s each way (NVIDIA, DGX H100 data sheet), of which 0.78 as on A100 (235 of
//   300): 352 GB/s.
// device H100 SXM5 80 GB: 3.35 TB/s, 33.5 / 66.9 / 989 TFLOP/s in f64 / f32 / f16
//   and bf16, dense (NVIDIA, H100 data sheet).
//
// A kernel takes launch = 2.5 us before it computes anything: an assumption. A kernel of
// 2.9 us takes 3.8 us in a stream and 3.4 us in a graph on V100
// (NVIDIA, "Getting Started with CUDA Graphs", 2019), and an empty kernel takes about
// 2 us. A large op reaches 0.8 of the peak (large bf16 matmuls on H100
// reach 780 of 989 TFLOP/s:
// gist.github.com/Chillee/2ec89696db8b7ed1c24461159e325405).

sbp.machine @h100_node [#sbp.level<"gpu" x 8, alpha = 3.4e-6, beta = 2.84e-12>]
  device #sbp.device<kind = gpu, launch = 2.5e-6, memory = 80GB, bandwidth = 3.35e12, rates = [
    #sbp.rate<f64, 3.35e13, efficiency = [1.0 : 0.8]>,
    #sbp.rate<f32, 6.69e13, efficiency = [1.0 : 0.8]>,
    #sbp.rate<f16, 9.89e14, efficiency = [1.0 : 0.8]>,
    #sbp.rate<bf16, 9.89e14, efficiency = [1.0 : 0.8]>]>
