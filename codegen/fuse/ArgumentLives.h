// Whether the arguments of functions stay in memory until the functions end.
//
// An argument is a tensor of the caller. It stays if the caller uses it after
// the call, or if it is a parameter or an input of the program.

#ifndef CODEGEN_FUSE_ARGUMENTLIVES_H_
#define CODEGEN_FUSE_ARGUMENTLIVES_H_

#include <vector>

#include "dialects/rank/Rank.h"
#include "dialects/support/LLVM.h"
#include "llvm/ADT/DenseMap.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

namespace sbp {

/// Time for which an argument stays in memory: until its last use in the
/// function, until the function ends, or either of the two, because calls
/// differ or no call is known.
enum class ArgumentLife { ToLastUse, ToEnd, Either };

/// The lives of the arguments of the functions of a rank program.
class ArgumentLives {
 public:
  /// Finds the lives of the arguments of the public functions of `program`. The
  /// lives of the arguments of any other function are known once noteCallsIn()
  /// has been called for all its callers.
  explicit ArgumentLives(rank::ProgramOp program);

  /// Returns the functions of the program, callers before callees.
  ArrayRef<mlir::func::FuncOp> functions() const { return functions_; }

  /// Notes how long the operands of the calls in `function` live. `function`
  /// must not change afterwards.
  void noteCallsIn(mlir::func::FuncOp function);

  /// Returns the life of `argument` by the calls of its function that have been
  /// noted: ArgumentLife::Either if there is none.
  ArgumentLife of(mlir::BlockArgument argument) const;

 private:
  void sortAfterCallees(mlir::func::FuncOp function);
  ArgumentLife afterCall(Value operand, mlir::CallOpInterface call) const;
  void note(mlir::BlockArgument argument, ArgumentLife life);

  mlir::SymbolTable symbols_;
  std::vector<mlir::func::FuncOp> functions_;
  llvm::DenseSet<Operation*> seen_;
  llvm::DenseMap<Value, ArgumentLife> lives_;
};

}  // namespace sbp

#endif  // CODEGEN_FUSE_ARGUMENTLIVES_H_
