// Which part of a backward program belongs to which part of the forward one.
//
// passes/differentiate leaves marks: the forward op has a number (nn.id), the
// ops that compute its gradients point at it (nn.adjoint_of). A layer is a pair
// of functions, called as a pair:
//
//   %y, %h = call @layer.forward(%x, %w)        {nn.id = 3}
//   %dx    = call @layer.backward(%w, %h, %dy)  {nn.adjoint_of = 3}
//
// so the arguments %w and %h of @layer.backward are values of @layer.forward,
// and %dy, %dx are marked as gradients (nn.gradient_of).
//
// A backward in halves is two such functions, each with its call. What one is
// given of the other is a gradient, and lies as it is decided there.
//
// Where a recomputation saves in place of the forward function, it is what the
// backward one belongs to, and is called under the same number:
//
//   %y  = call @layer.forward(%x, %w)           {nn.id = 3}
//   %h  = call @layer.recompute(%x, %w)         {nn.id = 3}
//   %dx = call @layer.backward(%w, %h, %dy)     {nn.adjoint_of = 3}

#ifndef PASSES_SEARCH_PROGRAM_CORRESPONDENCE_H_
#define PASSES_SEARCH_PROGRAM_CORRESPONDENCE_H_

#include "dialects/nn/Nn.h"
#include "dialects/support/LLVM.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "passes/boxing/UnreducedGradients.h"
#include "passes/module/CallCounts.h"

namespace sbp::search {

class Correspondence {
 public:
  /// Looks through `entry` and all that it calls, which are functions of one
  /// block that do not recur.
  Correspondence(mlir::func::FuncOp entry, const mlir::SymbolTable& symbols);

  /// The functions, callers before those that they call first, and how often
  /// each runs when the entry runs once.
  const llvm::MapVector<mlir::func::FuncOp, int64_t>& functions() const {
    return functions_;
  }

  mlir::func::FuncOp calleeOf(mlir::CallOpInterface call) const;

  /// If `function` is repeated (nn.repeat), the argument by which the next call
  /// is given result `number` of this one; null if it is not.
  mlir::BlockArgument carriedAs(mlir::func::FuncOp function,
                                int64_t number) const;

  /// If `argument` is what the call before has returned, the use that says how
  /// it lies: its first one, by an op. Null if it is not, or has no such use.
  mlir::OpOperand* firstUseOfCarried(mlir::BlockArgument argument) const;

  /// Whether `value` is what the calls of a function that is repeated have
  /// added up of a gradient.
  bool isSumOfGradients(Value value) const;

  /// The op for whose gradients `op` was built, or null.
  Operation* adjointTarget(Operation* op) const;

  /// The value of the forward program that `value` is: itself, unless it is
  /// what a backward function was given of it. Null when it is a gradient.
  Value primalOf(Value value) const;

  /// The value whose gradient the argument `argument` of a backward function
  /// is: what the forward function returns. Null when it is no gradient.
  Value primalOfGradient(mlir::BlockArgument argument) const;

  /// Whether `argument` is neither a value of the forward program that a
  /// backward function is given, nor a gradient.
  bool isOwn(mlir::BlockArgument argument) const;

  /// The argument of the forward function whose gradient `sum`, an addition in
  /// the backward one, is a part of; null if it is something else.
  mlir::BlockArgument argumentOfSum(Operation* sum) const;

  /// Whether `op` runs as another one does: it computes its gradients, or adds
  /// them up. What a gradient becomes on its way to a cast after which its
  /// terms are added up runs as these lie; and an op whose signatures are
  /// pinned, as the pin says.
  bool isFollower(Operation* op) const;

  /// Whether the terms of `value` are not to be added up.
  bool keepsTerms(Value value) const {
    return unreducedGradients_.contains(value);
  }

  /// Whether `value` of the forward program is a parameter: as it is read, or
  /// as an argument of a function that is repeated or has a backward one.
  bool isParameter(Value value) const;

  /// If result `index` of `function` is there for its backward function alone,
  /// the first use that the value has there; null if not, or if it has none.
  mlir::OpOperand* firstUseOfSaved(mlir::func::FuncOp function,
                                   int64_t index) const;

  /// The first use of `value` in the order of its block; null when unused.
  static mlir::OpOperand* firstUse(Value value);

 private:
  /// The function that saves values for `function`, a backward one; null for
  /// others.
  mlir::func::FuncOp forwardOf(mlir::func::FuncOp function) const;

  /// A pair of calls, of a function that saves values and one that takes them;
  /// and the first of its number, which gives the results: that of the forward
  /// function, which may be the one that saves.
  struct Pair {
    mlir::func::CallOp forward, backward, first;
  };

  UnreducedGradients unreducedGradients_;
  llvm::MapVector<mlir::func::FuncOp, int64_t> functions_;
  llvm::DenseMap<Operation*, mlir::func::FuncOp> callees_;
  /// Per function, the ops with numbers; and what is called again under the
  /// number of a call.
  llvm::DenseMap<Operation*, llvm::DenseMap<int64_t, Operation*>> numbered_;
  llvm::DenseMap<Operation*, mlir::func::CallOp> again_;
  llvm::DenseMap<Operation*, nn::RepeatOp> repeats_;  // by what is repeated
  /// Per function that saves and per backward function, its first pair of
  /// calls.
  llvm::DenseMap<Operation*, Pair> pairOf_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PROGRAM_CORRESPONDENCE_H_
