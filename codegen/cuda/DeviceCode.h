// Translation of lowered kernels to LLVM IR for a GPU, and of that IR to PTX.

#ifndef CODEGEN_CUDA_DEVICECODE_H_
#define CODEGEN_CUDA_DEVICECODE_H_

#include <memory>
#include <string>

#include "codegen/cuda/Chip.h"
#include "dialects/support/LLVM.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace sbp::cuda {

/// The LLVM IR of a module of kernels, for one chip.
class DeviceCode {
 public:
  /// Translates `kernels`, which must be in the dialects llvm and nvvm
  /// (LowerToLlvm.h), and optimises the code for `chip`. Fails with a
  /// diagnostic if they cannot be translated.
  static FailureOr<DeviceCode> of(mlir::gpu::GPUModuleOp kernels,
                                  const Chip& chip);

  /// The optimised IR, from which the PTX is generated.
  const llvm::Module& module() const { return *module_; }

  /// Returns the PTX, as text. Fails with a diagnostic at `loc` if a kernel
  /// calls a function that is not defined.
  FailureOr<std::string> ptx(mlir::Location loc);

 private:
  DeviceCode() = default;

  std::unique_ptr<llvm::LLVMContext> context_;
  std::unique_ptr<llvm::Module> module_;
  std::unique_ptr<llvm::TargetMachine> machine_;
};

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_DEVICECODE_H_
