// The entry of a logical program that is trained.

#ifndef PASSES_CUT_TRAINEDENTRY_H_
#define PASSES_CUT_TRAINEDENTRY_H_

#include "dialects/nn/Nn.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace sbp {

/// Returns the entry whose costs decide where stages begin; null if no function
/// of `module` is to be trained, or it is differentiated already.
inline mlir::func::FuncOp trainedEntryOf(mlir::ModuleOp module) {
  for (auto function : module.getOps<mlir::func::FuncOp>())
    if (function->hasAttr(nn::kOptimizerAttrName) &&
        function.getBody().hasOneBlock())
      return function;
  return nullptr;
}

}  // namespace sbp

#endif  // PASSES_CUT_TRAINEDENTRY_H_
