// The links between the GPUs that the stand-ins for NVIDIA's driver and for
// NVML play. The environment variable SBP_SIM_LINKS chooses them:
//
//   switch     NVLinks from each GPU to a switch; the default
//   pairs      NVLinks between GPUs 2k and 2k + 1, PCIe between others
//   halves     NVLinks between GPUs k and k + n/2, PCIe between others
//   pcie       PCIe, all GPUs at one socket
//   sockets    PCIe, each half of the GPUs at a socket of its own
//   alone      GPUs do not reach each other's memory

#ifndef CODEGEN_CUDA_TESTING_DRIVER_LINKS_H_
#define CODEGEN_CUDA_TESTING_DRIVER_LINKS_H_

#include <cstdlib>
#include <string>

namespace sbp::cuda::driver {

/// Returns the number in the environment variable `variable`, or else
/// `otherwise`.
inline int numberFrom(const char* variable, int otherwise) {
  const char* text = std::getenv(variable);
  return text ? std::atoi(text) : otherwise;
}

/// Returns the number of GPUs.
inline int numGpus() { return numberFrom("SBP_SIM_GPUS", 1); }

/// Returns the compute capability of the GPUs: 90 for sm_90.
inline int capability() { return numberFrom("SBP_SIM_CHIP", 90); }

/// Returns the value of SBP_SIM_LINKS.
inline std::string links() {
  const char* text = std::getenv("SBP_SIM_LINKS");
  return text ? text : "switch";
}

/// Returns the GPU to which the NVLinks of GPU `gpu` lead; -1 if there are
/// none, or they lead to a switch.
inline int nvlinkPeer(int gpu) {
  if (links() == "pairs") return gpu ^ 1;
  if (links() == "halves") return (gpu + numGpus() / 2) % numGpus();
  return -1;
}

/// Whether NVLink joins two GPUs.
inline bool areNvlinked(int one, int other) {
  return links() == "switch" || nvlinkPeer(one) == other;
}

/// The bus of a GPU, as part of its place on the PCI bus.
inline int busOf(int gpu) { return 16 + gpu; }

}  // namespace sbp::cuda::driver

#endif  // CODEGEN_CUDA_TESTING_DRIVER_LINKS_H_
