// One node of eight B200, joined by NVSwitch (HGX B200).
//
// gpu    alpha 3.4 us: over NVLink, NCCL's own model of a ring step with its
//   Simple protocol (github.com/NVIDIA/nccl, src/graph/tuning.cc, 2.8). beta: 900
//   GB/s each way (NVIDIA, NVLink 5), of which 0.78 as on A100 (235 of 300): 702
//   GB/s.
// device B200 at 1,000 W: 180 GB, 8 TB/s, 40 / 80 / 2,250 TFLOP/s in f64 / f32 / f16
//   and bf16, dense (NVIDIA, Blackwell architecture).
//
// A kernel takes launch = 2.5 us before it computes anything: an assumption. A kernel of
// 2.9 us takes 3.8 us in a stream and 3.4 us in a graph on V100
// (NVIDIA, "Getting Started with CUDA Graphs", 2019), and an empty kernel takes about
// 2 us. A large op reaches 0.8 of the peak (large bf16 matmuls on H100
// reach 780 of 989 TFLOP/s:
// gist.github.com/Chillee/2ec89696db8b7ed1c24461159e325405).

sbp.machine @b200_node [#sbp.level<"gpu" x 8, alpha = 3.4e-6, beta = 1.42e-12>]
  device #sbp.device<kind = gpu, launch = 2.5e-6, memory = 180GB, bandwidth = 8.0e12, rates = [
    #sbp.rate<f64, 4.0e13, efficiency = [1.0 : 0.8]>,
    #sbp.rate<f32, 8.0e13, efficiency = [1.0 : 0.8]>,
    #sbp.rate<f16, 2.25e15, efficiency = [1.0 : 0.8]>,
    #sbp.rate<bf16, 2.25e15, efficiency = [1.0 : 0.8]>]>
