// Compiles the kernels of some ops for a chip, in tests.

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

/// The kernel of one op: its launches and their arguments.
struct OpKernel {
  std::string name;
  std::vector<plan::Launch> launches;
  int64_t scratchBytes = 0;
  /// Numbers of the arguments that hold results, for the results with at least
  /// one element. If a result is in place, it is the number of the operand.
  std::vector<unsigned> results;
  /// For each result, the operand whose buffer it is written to, as for
  /// KernelProvider::kernelFor.
  std::vector<int64_t> inPlace;
};

/// The kernels of some ops, lowered to the dialects llvm and nvvm.
class CompiledOps {
 public:
  /// Emits and lowers the kernels of `ops`. Fails with a diagnostic if an op
  /// has no kernel, or a kernel cannot be lowered.
  static FailureOr<CompiledOps> of(mlir::MLIRContext& context,
                                   const std::vector<mlir::Operation*>& ops,
                                   InPlace inPlace = InPlace::None);

  /// The kernels, in the order of the ops.
  const std::vector<OpKernel>& kernels() const { return kernels_; }

  /// Generates the LLVM IR of the kernels for `chip`. Fails with a diagnostic
  /// if they cannot be translated.
  FailureOr<DeviceCode> codeFor(const Chip& chip);

  mlir::Location loc() { return library_->kernels().getLoc(); }

 private:
  CompiledOps() = default;

  std::unique_ptr<DeviceKernels> library_;
  std::vector<OpKernel> kernels_;
};

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_TESTING_COMPILEDOPS_H_
