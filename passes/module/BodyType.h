// Updates the type of a function whose body has changed.

#ifndef PASSES_MODULE_BODYTYPE_H_
#define PASSES_MODULE_BODYTYPE_H_

#include "dialects/support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sbp {

/// Sets the type of `function`, which has one block, to the types of the
/// block's arguments and of its terminator's operands.
inline void setTypeToBody(mlir::func::FuncOp function) {
  mlir::Block& body = function.getBody().front();
  function.setType(
      mlir::FunctionType::get(function.getContext(), body.getArgumentTypes(),
                              body.getTerminator()->getOperandTypes()));
}

}  // namespace sbp

#endif  // PASSES_MODULE_BODYTYPE_H_
