// Kernels as LLVM IR for a GPU, and as the PTX that is made of it.

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

class DeviceCode {
 public:
  /// Translates `kernels`, which are lowered to the dialects llvm and nvvm, and
  /// optimises them for `chip`. Fails with a diagnostic if they cannot be
  /// translated.
  static FailureOr<DeviceCode> of(mlir::gpu::GPUModuleOp kernels,
                                  const Chip& chip);

  /// The IR that becomes PTX.
  const llvm::Module& module() const { return *module_; }

  /// Fails with a diagnostic at `loc` where a function is called that is not
  /// there.
  FailureOr<std::string> ptx(mlir::Location loc);

 private:
  DeviceCode() = default;

  std::unique_ptr<llvm::LLVMContext> context_;
  std::unique_ptr<llvm::Module> module_;
  std::unique_ptr<llvm::TargetMachine> machine_;
};

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_DEVICECODE_H_
