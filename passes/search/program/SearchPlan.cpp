#include "passes/search/program/SearchPlan.h"

#include "dialects/nn/Nn.h"
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
    Problem problem = problemOf(program->graph, transitions);
    problem.roundToTicks();
    std::optional<Solution> solution = solveByElimination(problem);
    if (!solution) {
      constexpr Budget kBudget = {/*evaluations=*/2'000'000, /*seed=*/1};
      solution = searchByCoordinateDescent(problem, kBudget).best;
      mlir::emitRemark(entry.getLoc())
          << "the mesh has too many axes to search all plans for @"
          << entry.getName() << "; this one was found by descent";
    }
    addToPlan(*program, solution->assignment, searched.plan);
    EntryCost cost;
    cost.entry = entry.getName().str();
    for (auto [decision, state] :
         llvm::zip(program->graph.decisions, solution->assignment))
      cost.computing += decision.states[state].seconds;
    cost.communicating = solution->cost - cost.computing;
    cost.lowerBound = solution->lowerBound;
    searched.entries.push_back(std::move(cost));
  }
  for (auto parameter : module.getOps<nn::ParameterOp>())
    searched.plan.parameters.try_emplace(parameter.getSymNameAttr(),
                                         Placement(mesh.axes.size()));
  return searched;
}

}  // namespace sbp::search
