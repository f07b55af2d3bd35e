// Which dimension of a tensor runs over the samples of a batch.
//
// The inputs of an entry have it first. From there it is followed through the
// loops of the ops: the loop that runs over the samples of an operand runs over
// those of every result that it indexes. A weight has none, nor has a sum over
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

class SampleDims {
 public:
  /// Follows the samples through `entry` and all that it calls; a function as
  /// its first call gives it its arguments.
  SampleDims(mlir::func::FuncOp entry, const mlir::SymbolTable& symbols);

  /// The dimension of `value` that runs over samples; none if it has none.
  std::optional<int64_t> of(Value value) const;

 private:
  void walk(mlir::func::FuncOp function);

  const mlir::SymbolTable& symbols_;
  llvm::DenseMap<Value, int64_t> dims_;
  llvm::DenseSet<Operation*> walked_;  // functions
};

}  // namespace sbp

#endif  // PASSES_MODULE_SAMPLEDIMS_H_
