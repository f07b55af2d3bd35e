#include "passes/cost/LocalCost.h"

#include <optional>

#include "dialects/sbp/Sbp.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "passes/cost/Collectives.h"

namespace sbp {

using mlir::func::CallOp;
using mlir::func::FuncOp;

namespace {

/// `function` after all that it calls.
void sortAfterCallees(FuncOp function, mlir::SymbolTable& symbols,
                      llvm::MapVector<FuncOp, double>& order) {
  if (order.contains(function)) return;
  function.walk([&](CallOp call) {
    sortAfterCallees(symbols.lookup<FuncOp>(call.getCallee()), symbols, order);
  });
  order.insert({function, 0});
}

double bytesOf(Value value) {
  auto type = llvm::cast<RankedTensorType>(value.getType());
  return static_cast<double>(type.getNumElements() *
                             elementBytes(type.getElementType()));
}

}  // namespace

SmallVector<OpCost> collectiveCosts(rank::ProgramOp program, StringRef entry,
                                    const Mesh& mesh) {
  mlir::SymbolTable symbols(program);
  llvm::MapVector<FuncOp, double> times;
  auto root = symbols.lookup<FuncOp>(entry);
  sortAfterCallees(root, symbols, times);
  times[root] = 1;

  SmallVector<OpCost> costs;
  for (auto [function, runs] : llvm::reverse(times)) {
    double number = runs;
    function.walk([&](Operation* op) {
      if (auto call = llvm::dyn_cast<CallOp>(op)) {
        times[symbols.lookup<FuncOp>(call.getCallee())] += number;
        return;
      }
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
