// Code for GPUs in a program.

#ifndef RUNTIME_CUDA_IMAGE_H_
#define RUNTIME_CUDA_IMAGE_H_

#include <string_view>

namespace sbp::cuda {

/// The kernels of a program, as text in NVIDIA's PTX for the chip `chip` and
/// later ones: "sm_80". The bytes after `text` begin with a zero.
struct Image {
  std::string_view chip;
  std::string_view text;
};

}  // namespace sbp::cuda

#endif  // RUNTIME_CUDA_IMAGE_H_
