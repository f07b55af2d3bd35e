// The slots (DecisionGraph.h) of the tensors of a program.

#ifndef PASSES_SEARCH_READING_SITES_H_
#define PASSES_SEARCH_READING_SITES_H_

#include "dialects/support/LLVM.h"
#include "llvm/ADT/DenseMap.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "passes/search/decisions/DecisionGraph.h"
#include "passes/search/reading/Correspondence.h"

namespace sbp::search {

/// Reference to a placement: the placement of a slot, or that of the gradient
/// of the slot's tensor (Follow.h).
struct Touch {
  Slot slot;
  bool isGradient = false;

  friend bool operator==(Touch a, Touch b) {
    return a.slot == b.slot && a.isGradient == b.isGradient;
  }
};

/// Slots of tensors with decisions. They determine the placements of all other
/// tensors: results of calls, and arguments of backward functions.
struct Sites {
  explicit Sites(const Correspondence& correspondence)
      : correspondence(correspondence) {}

  /// Returns the placement in which `value` is made, or in which it enters its
  /// function.
  Touch made(Value value) const;
  /// Returns the placement that `use` wants. Must not be called for returns of
  /// an entry.
  Touch used(mlir::OpOperand& use) const;

  Slot operandOf(Operation* op, int64_t number) const;
  Slot resultOf(Operation* op, int64_t number) const;

  const Correspondence& correspondence;
  llvm::DenseMap<mlir::StringAttr, Slot> parameters;
  llvm::DenseMap<Value, Slot> arguments;
  llvm::DenseMap<Operation*, Slot> pins;
  /// First slot of each op. The slots of its operands follow each other from
  /// there, and then those of its results.
  llvm::DenseMap<Operation*, Slot> ops;

 private:
  Touch returned(mlir::func::FuncOp function, int64_t number) const;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_READING_SITES_H_
