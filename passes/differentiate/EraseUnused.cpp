#include "passes/differentiate/EraseUnused.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace sbp {

void eraseUnused(mlir::Block& block) {
  for (Operation& op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (op.use_empty() &&
        (mlir::isOpTriviallyDead(&op) || llvm::isa<mlir::func::CallOp>(op)))
      op.erase();
}

}  // namespace sbp
