#include "passes/search/program/SearchPlan.h"

#include "dialects/nn/Nn.h"
#include "llvm/Support/FormatVariadic.h"
#include "passes/search/program/Pricing.h"
#include "passes/search/program/ReadProgram.h"
#include "passes/search/solvers/Elimination.h"
#include "passes/search/solvers/Heuristics.h"

namespace sbp::search {

using mlir::func::FuncOp;

namespace {

bool isTraining(FuncOp function) {
  return !function.getBody().front().getOps<nn::SetOp>().empty();
}

}  // namespace

FailureOr<SearchedPlan> searchPlan(ModuleOp module, const Mesh& mesh,
                                   const Device& device) {
  mlir::SymbolTable symbols(module);
  TransitionTable transitions(mesh);
  SmallVector<FuncOp> entries;
  for (bool training : {true, false})
    for (auto function : module.getOps<FuncOp>())
      if (function.isPublic() && isTraining(function) == training)
        entries.push_back(function);

  SearchedPlan searched;
  for (FuncOp entry : entries) {
    FailureOr<ProgramDecisions> program =
        readProgram(entry, symbols, mesh, device, searched.plan);
    if (failed(program)) return failure();
    PricedProblem priced =
        problemOf(program->graph, transitions, WideFlows::Above);
    priced.problem.roundToTicks();
    std::optional<Solution> solution = solveByElimination(priced.problem);
    double lowerBound = solution ? solution->lowerBound : 0;
    if (!solution) {
      constexpr Budget kBudget = {/*evaluations=*/2'000'000, /*seed=*/1};
      solution = searchByCoordinateDescent(priced.problem, kBudget).best;
    } else if (!priced.isExact) {
      PricedProblem below =
          problemOf(program->graph, transitions, WideFlows::Below);
      below.problem.roundToTicks();
      auto bound = solveByElimination(below.problem);
      lowerBound = bound ? bound->lowerBound : 0;
    }
    addToPlan(*program, solution->assignment, searched.plan);
    EntryCost cost;
    cost.entry = entry.getName().str();
    for (auto [decision, state] :
         llvm::zip(program->graph.decisions, solution->assignment))
      cost.computing += decision.states[state].seconds;
    cost.communicating =
        communicatingSeconds(program->graph, solution->assignment, transitions);
    cost.lowerBound = lowerBound;
    if (!solution->isOptimal() || !priced.isExact)
      mlir::emitRemark(entry.getLoc()) << llvm::formatv(
          "the plan for @{0} takes {1} s by the model; no plan is proven to be "
          "the best, but none takes less than {2} s",
          cost.entry, cost.computing + cost.communicating, lowerBound);
    searched.entries.push_back(std::move(cost));
  }
  for (auto parameter : module.getOps<nn::ParameterOp>())
    searched.plan.parameters.try_emplace(parameter.getSymNameAttr(),
                                         Placement(mesh.axes.size()));
  return searched;
}

}  // namespace sbp::search
