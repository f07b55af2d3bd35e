#include "passes/cost/LocalCost.h"

#include <optional>

#include "dialects/sbp/Sbp.h"
#include "llvm/ADT/STLExtras.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "passes/CallCounts.h"
#include "passes/cost/Collectives.h"

namespace sbp {

using mlir::func::FuncOp;

namespace {

double bytesOf(Value value) {
  auto type = llvm::cast<RankedTensorType>(value.getType());
  return static_cast<double>(type.getNumElements() *
                             elementBytes(type.getElementType()));
}

}  // namespace

SmallVector<CollectiveCost> collectiveCosts(rank::ProgramOp program,
                                            StringRef entry, const Mesh& mesh) {
  mlir::SymbolTable symbols(program);
  SmallVector<CollectiveCost> costs;
  for (auto [function, count] :
       callCounts(symbols.lookup<FuncOp>(entry), symbols)) {
    auto number = static_cast<double>(count);
    function.walk([&](Operation* op) {
      std::optional<Collective> collective =
          collectiveNamed(op->getName().stripDialect());
      if (!collective || op->getDialect() != program->getDialect()) return;
      SmallVector<int64_t, 3> axes;
      for (auto axis : op->getAttrOfType<mlir::ArrayAttr>("axes")
                           .getAsRange<mlir::StringAttr>())
        axes.push_back(mesh.axisNamed(axis.getValue()));
      double bytes =
          std::max(bytesOf(op->getOperand(0)), bytesOf(op->getResult(0)));
      costs.push_back(
          {op, number,
           number * collectiveSeconds(*collective, axes, bytes, mesh)});
    });
  }
  return costs;
}

}  // namespace sbp
