// The kernels that a test appends to a program for GPUs: the LLVM IR from which
// its PTX was made.
//
//   | the program | LLVM IR, as text | bytes of the IR, a u64 | "sbp-ir\n\0" |
//
// The program itself does not use them: the part of the file before them is
// what users run, byte for byte.

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
