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

/// A cheapest assignment where one can be proven, else a cheap one. The cost is
/// never less than that of the assignment.
Solution solve(const DecisionGraph& graph, TransitionTable& transitions) {
  PricedProblem above = problemOf(graph, transitions, WideFlows::Above);
  above.problem.roundToTicks();
  if (auto solution = solveByElimination(above.problem)) {
    if (above.isExact) return *solution;
    PricedProblem below = problemOf(graph, transitions, WideFlows::Below);
    below.problem.roundToTicks();
    auto bound = solveByElimination(below.problem);
    solution->lowerBound = bound ? bound->lowerBound : 0;
    return *solution;
  }
  // Descent changes one variable at a time, so there must be none that says the
  // same as another.
  constexpr Budget kBudget = {/*evaluations=*/2'000'000, /*seed=*/1};
  PricedProblem apart =
      problemOf(graph, transitions, WideFlows::Above, /*maxEntries=*/0);
  return searchByCoordinateDescent(apart.problem, kBudget).best;
}

EntryCost costOf(const DecisionGraph& graph, const Solution& solution,
                 TransitionTable& transitions) {
  EntryCost cost;
  for (auto [decision, state] : llvm::zip(graph.decisions, solution.assignment))
    cost.computing += decision.states[state].seconds;
  cost.communicating =
      communicatingSeconds(graph, solution.assignment, transitions);
  cost.lowerBound = solution.lowerBound;
  return cost;
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
    Solution solution = solve(program->graph, transitions);
    addToPlan(*program, solution.assignment, searched.plan);
    EntryCost cost = costOf(program->graph, solution, transitions);
    cost.entry = entry.getName().str();
    if (!solution.isOptimal())
      mlir::emitRemark(entry.getLoc()) << llvm::formatv(
          "the plan for @{0} takes {1:e3} s by the model; none takes less than "
          "{2:e3} s, but it is not proven to be the best",
          cost.entry, cost.computing + cost.communicating, cost.lowerBound);
    searched.entries.push_back(std::move(cost));
  }
  // What nobody reads lies whole.
  for (auto parameter : module.getOps<nn::ParameterOp>())
    searched.plan.parameters.try_emplace(parameter.getSymNameAttr(),
                                         Placement(mesh.axes.size()));
  return searched;
}

}  // namespace sbp::search
