// The entry of a logical program that is trained.

#ifndef PASSES_MODULE_TRAINEDENTRY_H_
#define PASSES_MODULE_TRAINEDENTRY_H_

#include "dialects/nn/Nn.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace sbp {

/// Returns the entry of `module` that is to be trained; null if there is none,
/// or if it is differentiated already.
inline mlir::func::FuncOp trainedEntryOf(mlir::ModuleOp module) {
  for (auto function : module.getOps<mlir::func::FuncOp>())
    if (function->hasAttr(nn::kOptimizerAttrName) &&
        function.getBody().hasOneBlock())
      return function;
  return nullptr;
}

}  // namespace sbp

#endif  // PASSES_MODULE_TRAINEDENTRY_H_
