#include "passes/search/program/Conflict.h"

#include "dialects/nn/Nn.h"
#include "dialects/sbp/Sbp.h"
#include "llvm/ADT/SetVector.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/SymbolTable.h"
#include "passes/boxing/Transitions.h"
#include "passes/search/program/Cheapest.h"
#include "passes/search/program/ReadProgram.h"

namespace sbp::search {

using mlir::func::FuncOp;

namespace {

using Places = llvm::SetVector<Location>;

/// Calls `visit(place, remove)` for each pin of `module`.
void forEachPin(
    ModuleOp module,
    llvm::function_ref<void(Location, llvm::function_ref<void()>)> visit) {
  for (auto parameter : module.getOps<nn::ParameterOp>())
    for (StringRef name :
         {StringRef(kPinAttrName), StringRef(kStatePinAttrName)})
      if (parameter->hasAttr(name))
        visit(parameter.getLoc(), [&] { parameter->removeAttr(name); });
  for (auto function : module.getOps<FuncOp>()) {
    for (mlir::BlockArgument argument : function.getArguments()) {
      unsigned number = argument.getArgNumber();
      if (function.getArgAttr(number, kPinAttrName))
        visit(argument.getLoc(),
              [&] { function.removeArgAttr(number, kPinAttrName); });
    }
    for (auto pin :
         llvm::make_early_inc_range(function.getBody().front().getOps<PinOp>()))
      visit(pin.getLoc(), [&] {
        pin.replaceAllUsesWith(pin.getInput());
        pin.erase();
      });
  }
}

/// Whether a plan is found with the pins of `places` only.
bool hasPlan(FuncOp entry, const Places& places, const Mesh& mesh,
             const Device& device) {
  mlir::OwningOpRef<ModuleOp> module =
      entry->getParentOfType<ModuleOp>().clone();
  forEachPin(*module, [&](Location place, llvm::function_ref<void()> remove) {
    if (!places.contains(place)) remove();
  });
  mlir::SymbolTable symbols(*module);
  mlir::ScopedDiagnosticHandler silently(entry.getContext(),
                                         [](mlir::Diagnostic&) {});
  auto program = readProgram(symbols.lookup<FuncOp>(entry.getName()), symbols,
                             mesh, device, Plan());
  if (failed(program)) return false;
  TransitionTable transitions(mesh);
  Movements movements(program->graph.placements, transitions);
  return findCheapest(program->graph, device.memoryBytes, movements).fits;
}

}  // namespace

SmallVector<Location> conflictingPins(FuncOp entry, const Mesh& mesh,
                                      const Device& device,
                                      const Plan& decided) {
  Places all;
  forEachPin(
      entry->getParentOfType<ModuleOp>(),
      [&](Location place, llvm::function_ref<void()>) { all.insert(place); });
  // A plan for entries before is nobody's pin.
  bool isFirst = decided.ops.empty();
  if (all.empty() || !isFirst || !hasPlan(entry, {}, mesh, device)) return {};
  Places conflicting = all;
  for (Location place : all) {
    Places others = conflicting;
    others.remove(place);
    if (!hasPlan(entry, others, mesh, device)) conflicting = std::move(others);
  }
  return SmallVector<Location>(conflicting.begin(), conflicting.end());
}

}  // namespace sbp::search
