// Code for GPUs in a program.

#ifndef RUNTIME_CUDA_IMAGE_H_
#define RUNTIME_CUDA_IMAGE_H_

#include <string_view>

namespace sbp::cuda {

/// The kernels of a program for `chip`, such as "sm_80", as text in PTX, or as
/// machine code, an ELF file.
struct Image {
  std::string_view chip;
  /// The text, which a zero byte follows, or the start of the ELF file.
  std::string_view code;

  /// Whether the code is machine code, which only GPUs of the chip's generation
  /// run. NVIDIA's driver assembles PTX for all later GPUs.
  bool isMachineCode() const {
    return code.substr(0, 4) ==
           "\x7f"
           "ELF";
  }
};

}  // namespace sbp::cuda

#endif  // RUNTIME_CUDA_IMAGE_H_
