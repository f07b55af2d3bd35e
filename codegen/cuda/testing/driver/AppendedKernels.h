// The kernels that a test appends to a program for GPUs: the LLVM IR from which
// its PTX was made.
//
//   | the program | LLVM IR, as text | number of bytes of the IR | "sbp-ir\n\0"
//   |
//
// Nothing in the program knows of them. The program's file up to them is what
// users run, byte for byte.

#ifndef CODEGEN_CUDA_TESTING_DRIVER_APPENDEDKERNELS_H_
#define CODEGEN_CUDA_TESTING_DRIVER_APPENDEDKERNELS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace sbp::cuda::driver {

/// Appends `ir` to the file `program`. Fails if the file cannot be written.
absl::Status appendKernels(const std::string& program, const std::string& ir);

/// Returns the IR that was appended to the file `program`. Fails if the file
/// cannot be read, or has none.
absl::StatusOr<std::string> appendedKernels(const std::string& program);

}  // namespace sbp::cuda::driver

#endif  // CODEGEN_CUDA_TESTING_DRIVER_APPENDEDKERNELS_H_
