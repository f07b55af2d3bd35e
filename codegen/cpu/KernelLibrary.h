// The kernels of a program: one for each different computation, however often
// it occurs.
//
//   KernelLibrary library(context, target);
//   FailureOr<int64_t> kernel = library.kernelFor(op);    // for every op, in
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

  mlir::FailureOr<KernelNeeds> needsOf(mlir::Operation* op) override;

  mlir::FailureOr<int64_t> kernelFor(
      mlir::Operation* op, llvm::ArrayRef<int64_t> inPlace = {}) override;

  std::vector<std::string> kernelNames() const override { return names_; }

  /// The kernels, in func, scf, memref, vector, arith and math.
  mlir::ModuleOp module() { return *module_; }

 private:
  mlir::OwningOpRef<mlir::ModuleOp> module_;
  Target target_;
  std::vector<std::string> names_;
  llvm::DenseMap<mlir::Attribute, int64_t> kernels_;  // by what they compute
};

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_KERNELLIBRARY_H_
