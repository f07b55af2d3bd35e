// Marks layers with what they keep for their backward pass (kKeepAttrName).

#ifndef PASSES_DIFFERENTIATE_KEEPINLAYERS_H_
#define PASSES_DIFFERENTIATE_KEEPINLAYERS_H_

#include "dialects/sbp/Kept.h"
#include "dialects/support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

namespace sbp {

/// Returns the layers of `loss`, in the order of their calls: the functions
/// that it calls, and instead of the function of a stage those that this
/// function calls. With Kept::Products, also the functions that these call: a
/// layer that keeps products keeps the results of its calls. Functions must not
/// be recursive.
SmallVector<mlir::func::FuncOp> layersToKeep(mlir::func::FuncOp loss, Kept kept,
                                             const mlir::SymbolTable& symbols);

/// Marks each of `layers` that has no mark with `kept`.
void keepInLayers(ArrayRef<mlir::func::FuncOp> layers, Kept kept);

/// Fails with a diagnostic at a function of `module` that has a mark although
/// `loss` does not call it, neither itself nor by other functions. If `loss` is
/// null, fails at any function with a mark. Functions must not be recursive.
LogicalResult verifyKeepInLayers(mlir::ModuleOp module, mlir::func::FuncOp loss,
                                 const mlir::SymbolTable& symbols);

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_KEEPINLAYERS_H_
