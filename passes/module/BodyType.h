// The type of a function whose body has been changed.

#ifndef PASSES_MODULE_BODYTYPE_H_
#define PASSES_MODULE_BODYTYPE_H_

#include "dialects/support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sbp {

/// Sets the type of `function`, which has one block, to that of its body: from
/// the arguments of the block to what it returns.
inline void setTypeToBody(mlir::func::FuncOp function) {
  mlir::Block& body = function.getBody().front();
  function.setType(
      mlir::FunctionType::get(function.getContext(), body.getArgumentTypes(),
                              body.getTerminator()->getOperandTypes()));
}

}  // namespace sbp

#endif  // PASSES_MODULE_BODYTYPE_H_
