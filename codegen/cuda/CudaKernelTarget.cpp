#include "codegen/cuda/CudaKernelTarget.h"

#include <algorithm>

#include "codegen/cuda/KernelOp.h"

namespace sbp::cuda {
namespace {

/// Greatest number of arguments of a launch. Each is a pointer of 8 bytes, and
/// drivers pass up to 4 KB.
constexpr int64_t kMostArguments = 512;

}  // namespace

std::optional<KernelNeeds> CudaKernelTarget::lookUp(Operation* op) const {
  const std::optional<CudaKernel> kernel = CudaKernel::of(op);
  if (!kernel) return std::nullopt;
  KernelNeeds needs;
  needs.scratchBytes = kernel->scratchBytes();
  needs.inPlace = inPlacePairs(op, [&](unsigned result, unsigned operand) {
    return kernel->canWriteInPlace(result, operand);
  });
  const int64_t arguments = op->getNumOperands() + op->getNumResults();
  if (kernel->isPortable())
    needs.mostAtOnce = std::max<int64_t>(kMostArguments / arguments, 1);
  return needs;
}

}  // namespace sbp::cuda
