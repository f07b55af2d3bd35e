// The kernels of some ops, compiled for a chip.

#ifndef CODEGEN_CUDA_TESTING_COMPILEDOPS_H_
#define CODEGEN_CUDA_TESTING_COMPILEDOPS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "codegen/cuda/Chip.h"
#include "codegen/cuda/DeviceCode.h"
#include "codegen/cuda/DeviceKernels.h"
#include "codegen/kernels/testing/InPlace.h"
#include "llvm/IR/Module.h"
#include "mlir/IR/Operation.h"

namespace sbp::cuda {

/// What is launched for one op, and with which buffers.
struct OpKernel {
  std::string name;
  std::vector<plan::Launch> launches;
  int64_t scratchBytes = 0;
  /// The numbers of the arguments that have a result with elements.
  std::vector<unsigned> results;
  /// By result, as for KernelProvider::kernelFor.
  std::vector<int64_t> inPlace;
};

class CompiledOps {
 public:
  /// The kernels of `ops`, in this order. Fails with a diagnostic.
  static FailureOr<CompiledOps> of(mlir::MLIRContext& context,
                                   const std::vector<mlir::Operation*>& ops,
                                   InPlace inPlace = InPlace::None);

  const std::vector<OpKernel>& kernels() const { return kernels_; }

  /// Their code for `chip`. Fails with a diagnostic.
  FailureOr<DeviceCode> codeFor(const Chip& chip);

  mlir::Location loc() { return library_->kernels().getLoc(); }

 private:
  CompiledOps() = default;

  std::unique_ptr<DeviceKernels> library_;
  std::vector<OpKernel> kernels_;
};

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_TESTING_COMPILEDOPS_H_
