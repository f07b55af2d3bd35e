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
/// function, until the function ends, or either, as calls differ.
enum class ArgumentLife { ToLastUse, ToEnd, Either };

/// The lives of the arguments of the functions of a rank program.
class ArgumentLives {
 public:
  /// Knows the arguments of public functions of `program`, which are its
  /// inputs. Those of others are known after noteCallsIn() of their callers.
  explicit ArgumentLives(rank::ProgramOp program);

  /// Returns the functions of the program, callers before callees.
  ArrayRef<mlir::func::FuncOp> functions() const { return functions_; }

  /// Notes how long the operands of the calls in `function` live. It must not
  /// change any more.
  void noteCallsIn(mlir::func::FuncOp function);

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
