// The code of the kernels of a program.

#ifndef RUNTIME_MAIN_PROGRAMCODE_H_
#define RUNTIME_MAIN_PROGRAMCODE_H_

#include <vector>

#include "runtime/Abi.h"
#include "runtime/cpu/Features.h"
#include "runtime/cuda/Image.h"

namespace sbp::program {

/// The kernels of a program, either for CPUs or for GPUs.
struct ProgramCode {
  const SbpKernel* kernels =
      nullptr;                      // for CPUs, in the order of Plan::kernels
  cpu::Processor processor;         // CPU for which kernels were compiled
  std::vector<cuda::Image> images;  // for GPUs; empty: the program is for CPUs
};

}  // namespace sbp::program

#endif  // RUNTIME_MAIN_PROGRAMCODE_H_
