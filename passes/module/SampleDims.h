// Derives which dimension of each tensor runs over the samples of a batch.
//
// In the inputs of an entry, the samples are the first dimension. From there
// they are propagated through the loops of ops (dialects/sbp/LoopNest.h). If a
// loop runs over the samples of an operand, it runs over the samples of each
// result that it indexes. A weight has no sample dimension, nor has a sum over
// the batch.

#ifndef PASSES_MODULE_SAMPLEDIMS_H_
#define PASSES_MODULE_SAMPLEDIMS_H_

#include <optional>

#include "dialects/support/LLVM.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

namespace sbp {

/// The sample dimensions of the values of one entry.
class SampleDims {
 public:
  /// Propagates the samples through `entry` and all functions that it calls. Of
  /// several calls of a function, only the first counts.
  SampleDims(mlir::func::FuncOp entry, const mlir::SymbolTable& symbols);

  /// Returns the dimension of `value` that runs over samples; nullopt if none
  /// does.
  std::optional<int64_t> of(Value value) const;

 private:
  void walk(mlir::func::FuncOp function);

  const mlir::SymbolTable& symbols_;
  llvm::DenseMap<Value, int64_t> dims_;
  llvm::DenseSet<Operation*> walked_;  // functions
};

}  // namespace sbp

#endif  // PASSES_MODULE_SAMPLEDIMS_H_
