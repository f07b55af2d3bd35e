// Appends kernels to a program for GPUs, so that the stand-in driver can run
// it:
//
//   append_kernels PROGRAM KERNELS.ll
//
// `sbpc --target cuda --emit llvm`, called as for the program, writes
// KERNELS.ll.

#include <cstdio>
#include <fstream>
#include <iterator>

#include "codegen/cuda/testing/driver/AppendedKernels.h"

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: append_kernels PROGRAM KERNELS.ll\n", stderr);
    return 1;
  }
  std::ifstream file(argv[2], std::ios::binary);
  const std::string ir{std::istreambuf_iterator<char>(file), {}};
  const absl::Status status =
      file ? sbp::cuda::driver::appendKernels(argv[1], ir)
           : absl::NotFoundError("cannot read the kernels");
  if (status.ok()) return 0;
  std::fprintf(stderr, "error: %s\n", std::string(status.message()).c_str());
  return 1;
}
