// The kernels of a program for a CPU.
//
//   KernelLibrary library(context, target);
//   FailureOr<int64_t> kernel = library.kernelFor(op);    // for every op
//   lowerToLlvm(library.module(), target);                // after the last op
//   emit(library.module(), target, OutputKind::kObject);

#ifndef CODEGEN_CPU_KERNELLIBRARY_H_
#define CODEGEN_CPU_KERNELLIBRARY_H_

#include "codegen/cpu/CpuKernelTarget.h"
#include "codegen/cpu/Target.h"
#include "codegen/kernels/KernelSet.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace sbp::cpu {

/// Collects the kernels of a program in one module. A kernel is a function that
/// computes one op (KernelFunction.h).
class KernelLibrary : public KernelSet {
 public:
  KernelLibrary(mlir::MLIRContext* context, const Target& target);

  const KernelTarget& target() const override { return target_; }

  /// Returns the module of kernels, in the dialects func, scf, memref, vector,
  /// arith and math.
  mlir::ModuleOp module() { return *module_; }

 private:
  llvm::SmallVector<mlir::Operation*> addKernel(
      mlir::Operation* op, llvm::StringRef name,
      llvm::ArrayRef<BufferType> buffers,
      SplitArguments splitArguments) override;

  mlir::OwningOpRef<mlir::ModuleOp> module_;
  CpuKernelTarget target_;
};

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_KERNELLIBRARY_H_
