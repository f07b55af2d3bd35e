// The kernels of a program: one for each different computation, however often
// it occurs.
//
//   KernelLibrary library(context, target);
//   FailureOr<Kernel> kernel = library.kernelFor(op);    // for every op, in
//   any order emit(library.module(), target, OutputKind::kObject)  // after
//   lowerToLlvm
//
// Two ops have the same kernel if they are the same op with the same attributes
// on tensors of the same types. So the number of kernels, and with it the time
// to compile them, does not grow with the depth of a model.

#ifndef CODEGEN_CPU_KERNELLIBRARY_H_
#define CODEGEN_CPU_KERNELLIBRARY_H_

#include <cstdint>
#include <string>
#include <vector>

#include "codegen/cpu/Target.h"
#include "codegen/plan/KernelProvider.h"
#include "llvm/ADT/DenseMap.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace sbp::cpu {

class KernelLibrary : public KernelProvider {
 public:
  KernelLibrary(mlir::MLIRContext* context, const Target& target);

  /// The kernel of `op`, whose tensors have static shapes and no placement.
  /// `inPlace`, when given, says for each result which operand's buffer it is
  /// written to; the op must allow that
  /// (CpuKernelOpInterface::canWriteInPlace). Fails, with a diagnostic at the
  /// op, if the op has no kernel.
  mlir::FailureOr<Kernel> kernelFor(
      mlir::Operation* op, llvm::ArrayRef<int64_t> inPlace = {}) override;

  /// As the op says; false for an op without kernel.
  bool canWriteInPlace(mlir::Operation* op, int64_t result,
                       int64_t operand) const override;

  /// The symbols of the kernels.
  const std::vector<std::string>& names() const override { return names_; }

  /// The kernels, in func, scf, memref, vector, arith and math.
  mlir::ModuleOp module() { return *module_; }

 private:
  mlir::OwningOpRef<mlir::ModuleOp> module_;
  Target target_;
  std::vector<std::string> names_;
  llvm::DenseMap<mlir::Attribute, Kernel> kernels_;  // by what they compute
};

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_KERNELLIBRARY_H_
