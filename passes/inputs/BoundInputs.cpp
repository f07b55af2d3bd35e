// The pass: records the derived bounds as attributes of the entries.

#include "dialects/nn/Nn.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/inputs/IndexBounds.h"
#include "passes/inputs/Passes.h"
#include "passes/module/VerifyTensors.h"

namespace sbp {

#define GEN_PASS_DEF_BOUNDINPUTS
#include "passes/inputs/Passes.h.inc"

namespace {

using mlir::func::FuncOp;

class BoundInputs : public impl::BoundInputsBase<BoundInputs> {
  void runOnOperation() override {
    if (failed(verifyTensors(getOperation()))) return signalPassFailure();
    mlir::SymbolTable symbols(getOperation());
    IndexBounds bounds(symbols);
    for (auto function : getOperation().getOps<FuncOp>())
      if (function.isPublic() && !function.isExternal())
        boundArguments(function, bounds);
  }

  void boundArguments(FuncOp entry, IndexBounds& bounds) {
    for (mlir::BlockArgument argument : entry.getArguments()) {
      if (!nn::hasIndices(argument.getType())) continue;
      unsigned number = argument.getArgNumber();
      int64_t below = bounds.boundOf(argument);
      // A table without rows allows no index, so there is no bound to record.
      if (below == IndexBounds::kUnbounded || below < 1) continue;
      if (auto given = entry.getArgAttrOfType<mlir::IntegerAttr>(
              number, nn::kBelowAttrName))
        below = std::min(below, given.getInt());
      entry.setArgAttr(number, nn::kBelowAttrName,
                       mlir::Builder(entry).getI64IntegerAttr(below));
    }
  }
};

}  // namespace
}  // namespace sbp
