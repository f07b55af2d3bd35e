#include "passes/differentiate/CallTree.h"

#include "dialects/nn/Nn.h"
#include "llvm/ADT/SetVector.h"

namespace sbp {

using mlir::func::CallOp;
using mlir::func::FuncOp;

namespace {

class CallTree {
 public:
  explicit CallTree(mlir::SymbolTable& symbols) : symbols_(symbols) {}

  LogicalResult visit(FuncOp function) {
    if (!visited_.insert(function).second) return success();
    if (!function.getBody().hasOneBlock())
      return function.emitOpError()
             << "has " << function.getBody().getBlocks().size()
             << " blocks; to be differentiated it must have 1";
    open_.insert(function);
    for (Operation& op : function.getBody().front()) {
      if (llvm::isa<nn::SetOp>(op))
        return op.emitOpError()
               << "stands in a function that is differentiated; parameters "
                  "are set by the optimiser's step";
      if (auto call = llvm::dyn_cast<CallOp>(op))
        if (failed(visitCall(call))) return failure();
    }
    open_.remove(function);
    return success();
  }

 private:
  LogicalResult visitCall(CallOp call) {
    auto callee = symbols_.lookup<FuncOp>(call.getCallee());
    if (!open_.contains(callee)) return visit(callee);
    mlir::InFlightDiagnostic diagnostic =
        call.emitOpError() << "calls @" << callee.getName()
                           << ", which is still running; recursion cannot be "
                              "differentiated";
    diagnostic.attachNote(callee.getLoc()) << "the function called";
    return diagnostic;
  }

  mlir::SymbolTable& symbols_;
  llvm::SmallPtrSet<Operation*, 8> visited_;
  /// The functions on the path of calls from the root to the current one.
  llvm::SetVector<Operation*> open_;
};

}  // namespace

LogicalResult verifyCallTree(FuncOp root, mlir::SymbolTable& symbols) {
  return CallTree(symbols).visit(root);
}

}  // namespace sbp
