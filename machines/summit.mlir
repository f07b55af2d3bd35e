// Summit: 64 nodes (of about 4,600), two sockets in each, three V100 at a socket.
//
// node   alpha 9.6 us: between hosts, NCCL's own model of a ring step with its
//   Simple protocol (github.com/NVIDIA/nccl, src/graph/tuning.cc, 2.8).
//   beta: 23 GB/s into a node (OLCF, Summit User Guide, "System
//   Interconnect"), shared by its six devices: 6 / 23 GB/s.
// socket alpha 5.7 us: over PCIe, from NCCL's model, which has no X-Bus. beta: an
//   X-Bus of 64 GB/s in both directions together (WikiChip, Summit), so 32
//   each way, shared by three devices: 3 / 32 GB/s.
// gpu    alpha 3.4 us: over NVLink, from NCCL's model. beta: 50 GB/s each way
//   between two processors (Summit User Guide, "NVIDIA NVLink").
// device V100 SXM2 16 GB: 900 GB/s, 7.8 TFLOP/s in f64 (Summit User Guide), 15.7
//   in f32, 125 in f16 (NVIDIA, V100 data sheet).
//
// Efficiency: a kernel takes 5 us to start and then runs at 0.8 of the peak
// (large bf16 matmuls on H100 reach 780 of 989 TFLOP/s:
// gist.github.com/Chillee/2ec89696db8b7ed1c24461159e325405); the start is our
// assumption. Points of FLOPs / peak / (5 us + FLOPs / (0.8 peak)).

sbp.machine @summit [
  #sbp.level<"node" x 64, alpha = 9.6e-6, beta = 2.61e-10>,
  #sbp.level<"socket" x 2, alpha = 5.7e-6, beta = 9.38e-11>,
  #sbp.level<"gpu" x 3, alpha = 3.4e-6, beta = 2.0e-11>]
  device #sbp.device<kind = gpu, memory = 16GB, bandwidth = 9.0e11, rates = [
    #sbp.rate<f64, 7.8e12, efficiency = [
      1.0e6 : 0.0248, 1.0e8 : 0.61, 1.0e9 : 0.776, 1.0e10 : 0.798]>,
    #sbp.rate<f32, 1.57e13, efficiency = [
      1.0e6 : 0.0125, 1.0e8 : 0.491, 1.0e9 : 0.753, 1.0e10 : 0.795, 1.0e11 : 0.799]>,
    #sbp.rate<f16, 1.25e14, efficiency = [
      1.0e6 : 0.0016, 1.0e8 : 0.133, 1.0e9 : 0.533, 1.0e10 : 0.762, 1.0e11 : 0.796]>]>
