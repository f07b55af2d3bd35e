// When a tensor is in memory for certain, and in memory of its own.
//
// A bound on what is allocated counts only what no layout of buffers does
// without. In doubt a tensor does not count:
//
//   the result of nn.reshape     has the memory of what is reshaped
//   what nn.set may store        may have that of the parameter
//   what is carried              may have that of the result of nn.repeat
//   what a call returns of what  has the memory that the call was given
//   it was given
//   an operand that a call is    may be gone some time during the call
//   the last to use
//   what a function returns      need not be there until then, if some call
//                                does not use that result
//
// The plan runs what loss and gradients need first, and updates of parameters
// behind all that (codegen/plan/OrderUpdates.h). So for an op that only updates
// need, the order of the program says nothing of what is there at the time. All
// other ops are "in front".

#ifndef PASSES_SEARCH_PROGRAM_CERTAINLIVES_H_
#define PASSES_SEARCH_PROGRAM_CERTAINLIVES_H_

#include "dialects/support/LLVM.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/search/program/Correspondence.h"

namespace sbp::search {

class CertainLives {
 public:
  CertainLives(mlir::func::FuncOp entry, const Correspondence& correspondence);

  /// Whether `op`, which is no call, runs in front whenever it is called.
  bool isInFront(Operation* op) const;

  /// Whether `value` has memory that is not also that of another value, and is
  /// made in front.
  bool hasOwnMemory(Value value);

  /// Until when `use` keeps the tensor in memory.
  enum class Keeps {
    Not,     // perhaps not at all
    Behind,  // as it was made, until just before its op, which is not in front
    Before,  // until just before its op
    During   // while its op runs
  };
  Keeps keeps(mlir::OpOperand& use) const;

 private:
  void findUpdated();
  void findNeeded();
  bool isNeeded(mlir::OpOperand& use) const;
  bool mayBeStored(Value value);
  bool isCarried(Value value) const;
  /// The values that operand `index` of the return of `function` becomes.
  SmallVector<Value> resultsOf(mlir::func::FuncOp function,
                               unsigned index) const;

  mlir::func::FuncOp entry_;
  const Correspondence& correspondence_;
  llvm::DenseMap<mlir::func::FuncOp, SmallVector<mlir::CallOpInterface>> calls_;
  llvm::DenseSet<Value> updated_;  // perhaps made of what an optimiser makes
  llvm::DenseSet<Value> needed_;   // in front, in all calls
  /// What was asked; while it is being found out, what is the safe answer.
  llvm::DenseMap<Value, bool> mayBeStored_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PROGRAM_CERTAINLIVES_H_
