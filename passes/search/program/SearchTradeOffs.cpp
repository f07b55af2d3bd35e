#include "passes/search/program/SearchTradeOffs.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "dialects/nn/Nn.h"
#include "llvm/ADT/STLExtras.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "passes/boxing/Transitions.h"
#include "passes/search/decisions/Memory.h"
#include "passes/search/decisions/Movements.h"
#include "passes/search/decisions/Pricing.h"
#include "passes/search/program/SearchPlan.h"
#include "passes/search/reading/ReadProgram.h"
#include "passes/search/solvers/TradeOffs.h"

namespace sbp::search {

using mlir::func::FuncOp;

namespace {

/// Returns the moment at which the first backward begins; nullopt if nothing
/// waits for one.
std::optional<Moment> whenBackwardBegins(const DecisionGraph& graph) {
  auto frame = llvm::find_if(graph.functions, [](const Frame& candidate) {
    return !candidate.holds.empty();
  });
  if (frame == graph.functions.end()) return std::nullopt;
  Moment moment(graph.functions.size(), -1);
  int64_t function = frame - graph.functions.begin();
  moment[function] = frame->holds.front().until;
  // Callers are before their callees.
  for (int64_t caller = function; caller-- > 0;)
    for (const Frame::Call& call : graph.functions[caller].calls)
      if (call.function == function) {
        moment[caller] = call.op;
        function = caller;
        break;
      }
  return moment;
}

/// Returns the assignments of the plans; nullopt if they would take too much,
/// or if nothing waits for a backward.
std::optional<std::vector<Assignment>> assignmentsOf(const DecisionGraph& graph,
                                                     Movements& movements,
                                                     size_t most,
                                                     const SearchRun& run) {
  const std::optional<Moment> moment = whenBackwardBegins(graph);
  if (!moment || numPrices(graph) > kMaxPrices) return std::nullopt;
  // Any limit will do: a corner of the hull may use more.
  constexpr double kLimitBytes = 1e9;
  std::optional<PricedProblem> priced =
      problemOf(graph, movements, run, WideFlows::Above, *moment, kLimitBytes);
  if (!priced) return std::nullopt;
  priced->problem.roundToTicks();
  EliminationLimits limits;
  limits.run = run;
  auto found = tradeOffs(priced->problem, priced->memory.front(), most, limits);
  if (!found) return std::nullopt;
  std::vector<Assignment> assignments;
  for (TradeOff& corner : *found) {
    assignments.push_back(std::move(corner.assignment));
    assignments.back().resize(graph.decisions.size());
  }
  return assignments;
}

}  // namespace

FailureOr<std::vector<TradeOffPlan>> searchTradeOffs(ModuleOp module,
                                                     const Mesh& mesh,
                                                     const Device& device,
                                                     size_t most,
                                                     const SearchRun& run) {
  std::vector<TradeOffPlan> plans;
  auto entries = llvm::make_filter_range(
      module.getOps<FuncOp>(), [](FuncOp entry) { return entry.isPublic(); });
  if (llvm::hasSingleElement(entries)) {
    const mlir::SymbolTable symbols(module);
    FailureOr<ProgramDecisions> program = readProgram(
        *entries.begin(), symbols, mesh, device, Plan(), run.part(1));
    if (failed(program)) return failure();
    TransitionTable transitions(mesh);
    Movements movements(program->graph.placements, transitions);
    auto assignments = assignmentsOf(program->graph, movements, most, run);
    if (assignments) {
      for (Frame& frame : program->graph.functions) frame.holds.clear();
      for (const Assignment& assignment : *assignments) {
        TradeOffPlan& found = plans.emplace_back();
        addToPlan(*program, assignment, found.plan);
        // Parameters that the entry does not read are whole.
        for (auto parameter : module.getOps<nn::ParameterOp>())
          found.plan.parameters.try_emplace(parameter.getSymNameAttr(),
                                            Placement(mesh.axes.size()));
        found.peakBytes =
            peakMemory(program->graph, assignment, movements).bytes;
      }
      return plans;
    }
  }
  Device unlimited = device;
  unlimited.memoryBytes = std::numeric_limits<double>::infinity();
  FailureOr<SearchedPlan> fastest = searchPlan(
      module, mesh, unlimited, SearchSpace::Full, SearchGoal::Time, run);
  if (failed(fastest)) return failure();
  TradeOffPlan& only = plans.emplace_back();
  only.plan = std::move(fastest->plan);
  for (const EntryCost& cost : fastest->entries)
    only.peakBytes = std::max(only.peakBytes, cost.memory.sum());
  return plans;
}

}  // namespace sbp::search
