// Lifetimes of tensors that hold for every layout of buffers.
//
// A lower bound of the allocated memory counts only tensors that no layout of
// buffers can do without. If in doubt, a tensor does not count:
//
//   the result of nn.reshape      shares the memory of its operand
//   a value that nn.set may       may have the memory of the parameter
//   store
//   a value that nn.repeat        may have the memory of the result of
//   carries to its next call      nn.repeat
//   an argument that a call       shares the memory of the call's operand
//   returns
//   an operand whose last use     may be dead some time during the call
//   is a call
//   a value that a function       need not live until the return, if some
//   returns                       call does not use the result
//
// The plan first runs the ops that the loss and the gradients need, and then
// the updates of parameters (codegen/plan/OrderUpdates.h). The former are "in
// front". For any other op, the order of the program does not tell which
// tensors are in memory when it runs.

#ifndef PASSES_SEARCH_READING_CERTAINLIVES_H_
#define PASSES_SEARCH_READING_CERTAINLIVES_H_

#include "dialects/support/LLVM.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/search/reading/Correspondence.h"

namespace sbp::search {

/// The certain lifetimes of the tensors of an entry and the functions it calls.
class CertainLives {
 public:
  CertainLives(mlir::func::FuncOp entry, const Correspondence& correspondence);

  /// Whether `op` is in front in every call of the function that contains it.
  /// `op` must not be a call.
  bool isInFront(Operation* op) const;

  /// Whether `value` has memory that no other value shares, and is made in
  /// front.
  bool hasOwnMemory(Value value);

  /// The last moment at which a use certainly keeps its tensor in memory.
  enum class Keeps {
    Not,  // the use may keep it at no moment
    /// Until just before its op, which is not in front. Holds only for the
    /// placement in which the tensor is made: the tensor may be moved to other
    /// placements later.
    Behind,
    Before,  // until just before its op
    During   // until its op has run
  };
  Keeps keeps(mlir::OpOperand& use) const;

 private:
  void findUpdated();
  void findNeeded();
  bool isNeeded(mlir::OpOperand& use) const;
  bool mayBeStored(Value value);
  bool isCarried(Value value) const;
  /// Returns result number `index` of each call of `function`.
  SmallVector<Value> resultsOf(mlir::func::FuncOp function,
                               unsigned index) const;

  mlir::func::FuncOp entry_;
  const Correspondence& correspondence_;
  llvm::DenseMap<mlir::func::FuncOp, SmallVector<mlir::CallOpInterface>> calls_;
  llvm::DenseSet<Value> updated_;  // may depend on results of the optimiser
  llvm::DenseSet<Value> needed_;   // needed by ops in front, in all calls
  /// Answers of mayBeStored(). While the answer for a value is computed, its
  /// entry is false, so that a recursion that reaches the value again ends.
  llvm::DenseMap<Value, bool> mayBeStored_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_READING_CERTAINLIVES_H_
