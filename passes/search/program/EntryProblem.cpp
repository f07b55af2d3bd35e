#include "passes/search/program/EntryProblem.h"

#include <optional>
#include <utility>

#include "llvm/Support/FormatVariadic.h"
#include "mlir/IR/SymbolTable.h"
#include "passes/boxing/Transitions.h"
#include "passes/search/decisions/Movements.h"
#include "passes/search/decisions/Pricing.h"
#include "passes/search/reading/ReadProgram.h"

namespace sbp::search {

FailureOr<Problem> problemOfEntry(ModuleOp module, llvm::StringRef entry,
                                  const Mesh& mesh, const Device& device,
                                  const SearchRun& run) {
  mlir::SymbolTable symbols(module);
  auto function = symbols.lookup<mlir::func::FuncOp>(entry);
  FailureOr<ProgramDecisions> program =
      readProgram(function, symbols, mesh, device, Plan(), run);
  if (failed(program)) return failure();
  const DecisionGraph& graph = program->graph;
  if (const double prices = numPrices(graph); prices > kMaxPrices)
    return function.emitError() << llvm::formatv(
               "the problem of placing @{0} has {1:e2} costs; "
               "problems of up to {2:e2} are written down",
               entry, prices, kMaxPrices);
  TransitionTable transitions(mesh);
  Movements movements(graph.placements, transitions);
  std::optional<PricedProblem> priced =
      problemOf(graph, movements, run, WideFlows::Above);
  if (!priced || !program->isWhole())
    return function.emitError()
           << "the problem of placing @" << entry
           << " takes more time or memory than a search may take";
  if (!priced->isExact)
    return function.emitError()
           << "a tensor of @" << entry
           << " has so many uses that no table holds their costs: the problem "
              "cannot be written down";
  return std::move(priced->problem);
}

}  // namespace sbp::search
