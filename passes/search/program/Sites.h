// Where in a program decisions touch its tensors.

#ifndef PASSES_SEARCH_PROGRAM_SITES_H_
#define PASSES_SEARCH_PROGRAM_SITES_H_

#include "dialects/support/LLVM.h"
#include "llvm/ADT/DenseMap.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "passes/search/program/Correspondence.h"
#include "passes/search/program/DecisionGraph.h"

namespace sbp::search {

/// How a tensor lies at some place: as a slot says, or as the gradient of what
/// that touches (Follow.h).
struct Touch {
  Slot slot;
  bool isGradient = false;

  friend bool operator==(Touch a, Touch b) {
    return a.slot == b.slot && a.isGradient == b.isGradient;
  }
};

/// The slots of what has a decision. From them follows how every other tensor
/// lies: results of calls, and what backward functions are given.
struct Sites {
  explicit Sites(const Correspondence& correspondence)
      : correspondence(correspondence) {}

  /// How `value` lies when it is made, or enters its function.
  Touch made(Value value) const;
  /// How `use` wants its tensor. Not for what an entry returns.
  Touch used(mlir::OpOperand& use) const;

  Slot operandOf(Operation* op, int64_t number) const;
  Slot resultOf(Operation* op, int64_t number) const;

  const Correspondence& correspondence;
  llvm::DenseMap<mlir::StringAttr, Slot> parameters;
  llvm::DenseMap<Value, Slot> arguments;
  llvm::DenseMap<Operation*, Slot> pins;
  /// The first slot of an op; its operands have the slots from there on, then
  /// its results.
  llvm::DenseMap<Operation*, Slot> ops;

 private:
  Touch returned(mlir::func::FuncOp function, int64_t number) const;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PROGRAM_SITES_H_
