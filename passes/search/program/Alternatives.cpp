#include "passes/search/program/Alternatives.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "dialects/nn/EntryNames.h"
#include "dialects/nn/Nn.h"
#include "mlir/IR/SymbolTable.h"
#include "passes/boxing/Transitions.h"
#include "passes/search/cheapest/Cheapest.h"
#include "passes/search/cheapest/Tables.h"
#include "passes/search/decisions/Memory.h"
#include "passes/search/strategies/AutoDdlSpace.h"

namespace sbp::search {

using mlir::func::FuncOp;

namespace {

constexpr double kUnlimited = std::numeric_limits<double>::infinity();
constexpr int kMaxMoments = 4;

/// Fraction of the time left that one plan with less memory may take. The first
/// of these plans matter most, and take little time.
constexpr double kShareOfPlan = 0.5;

/// Relative precision of costs, which are sums of rounded costs.
constexpr double kPrecision = 1e-9;

/// Per decision and state, a lower bound of the cost of plans with this state.
struct PinPrices {
  std::vector<std::vector<Cost>> with;
  bool areExact = true;
};

/// Returns the prices of states beside a plan that takes `seconds`; nullopt if
/// this would take too much. If the plan takes longer than the best plan
/// without a memory limit, because it must fit into memory, the prices are
/// bounds for plans that fit.
std::optional<PinPrices> pinPrices(const DecisionGraph& graph,
                                   double memoryBytes, double seconds,
                                   Movements& movements, const SearchRun& run) {
  auto free = leastCostsOf(graph, movements, kMaxTableEntries,
                           /*shares=*/nullptr, /*ceiling=*/kInfiniteCost, run);
  if (!free) return std::nullopt;
  PinPrices prices;
  prices.with = std::move(free->with);
  prices.areExact =
      free->isExact && seconds - free->cheapest.cost <= kPrecision * seconds;
  Assignment cheapest = std::move(free->cheapest.assignment);
  std::vector<Moment> moments;
  std::vector<Assignment> near;
  // Limits are added as they are broken. The first few raise the bounds most.
  for (int round = 0; round < kMaxMoments && !prices.areExact; ++round) {
    PeakMemory peak = peakMemory(graph, cheapest, movements);
    if (peak.bytes <= memoryBytes || llvm::is_contained(moments, peak.moment))
      break;
    moments.push_back(std::move(peak.moment));
    auto within = leastCostsWithin(graph, memoryBytes, moments, movements,
                                   kMaxTableEntries, /*shares=*/nullptr,
                                   /*ceiling=*/kInfiniteCost, near, run);
    if (!within || within->with.empty()) break;
    prices.with = std::move(within->with);
    cheapest = std::move(within->cheapest);
    near = std::move(within->near);
  }
  return prices;
}

/// Returns the choices of the tensor in `slot`, beside a plan that takes
/// `seconds` and places the tensor as `planned`.
std::vector<PinChoices::Choice> choicesOf(
    const DecisionGraph& graph, Slot slot,
    const std::vector<Cost>& costsOfStates, double seconds,
    const Placement& planned) {
  std::map<PlacementTable::Number, double> least;
  for (auto [state, cost] : llvm::enumerate(costsOfStates)) {
    double& known =
        least
            .try_emplace(graph.placementAt(slot, static_cast<int64_t>(state)),
                         kUnlimited)
            .first->second;
    known = std::min(known, cost);
  }
  std::vector<PinChoices::Choice> choices;
  for (auto [number, cost] : least) {
    if (cost == kUnlimited) continue;  // not in the space
    Placement placement(graph.placements[number]);
    double more = cost - seconds;
    if (more <= kPrecision * seconds || placement == planned) more = 0;
    choices.push_back({std::move(placement), more});
  }
  llvm::sort(choices, [](const auto& a, const auto& b) {
    if (a.moreSeconds != b.moreSeconds) return a.moreSeconds < b.moreSeconds;
    return stringOf(a.placement) < stringOf(b.placement);
  });
  return choices;
}

std::vector<PinChoices> pinChoices(FuncOp entry, ModuleOp module,
                                   const ProgramDecisions& program,
                                   const DecisionGraph& graph,
                                   const SearchedPlan& searched,
                                   const PinPrices& prices) {
  std::vector<PinChoices> pins;
  auto add = [&](std::string name, Slot slot, const Placement& planned) {
    pins.push_back({std::move(name), planned,
                    choicesOf(graph, slot, prices.with[slot.decision],
                              searched.entries.front().seconds(), planned)});
  };
  const Plan& plan = searched.plan;
  for (mlir::BlockArgument input : entry.getArguments()) {
    const unsigned position = input.getArgNumber();
    add(nn::inputName(entry.getArgAttrDict(position), position),
        program.arguments.lookup(input), plan.arguments.lookup(input));
  }
  for (auto parameter : module.getOps<nn::ParameterOp>()) {
    auto slot = program.parameters.find(parameter.getSymNameAttr());
    if (slot != program.parameters.end() && !parameter.getState())
      add("@" + parameter.getSymName().str(), slot->second,
          plan.parameters.lookup(parameter.getSymNameAttr()));
  }
  return pins;
}

std::vector<FrontPlan> plansOnFront(const DecisionGraph& graph,
                                    FrontOptions options, Movements& movements,
                                    const SearchRun& run) {
  std::vector<FrontPlan> front;
  if (options.step == 0) return front;
  double limit = kUnlimited;
  for (int64_t i = 0; i < options.maxPlans && !run.isOver(); ++i) {
    CheapestPlan plan =
        findCheapest(graph, limit, movements, run.aside(kShareOfPlan));
    if (!plan.fits) break;
    front.push_back(
        {plan.memory.bytes, plan.solution.cost, plan.solution.lowerBound});
    limit = options.step * plan.memory.bytes;
  }
  return front;
}

}  // namespace

FailureOr<Alternatives> findAlternatives(ModuleOp module, const Mesh& mesh,
                                         const Device& device,
                                         const SearchedPlan& searched,
                                         SearchSpace space, FrontOptions front,
                                         const SearchRun& run) {
  const EntryCost& entry = searched.entries.front();
  run.beginEntry(entry.entry);
  mlir::SymbolTable symbols(module);
  auto function = symbols.lookup<FuncOp>(entry.entry);
  FailureOr<ProgramDecisions> program =
      readProgram(function, symbols, mesh, device, Plan(), run);
  if (failed(program)) return failure();
  run.beginPhase("what else there is beside the plan");
  TransitionTable transitions(mesh);
  Movements movements(program->graph.placements, transitions);
  Alternatives alternatives;
  alternatives.strategies = searched.strategies;
  if (alternatives.strategies.empty())
    alternatives.strategies =
        namedStrategies(function, symbols, *program, movements, run);
  DecisionGraph graph = space == SearchSpace::AutoDdl
                            ? autoDdlSpace(function, symbols, *program).graph()
                            : program->graph;
  // Prices from a part of the plans would bound nothing.
  std::optional<PinPrices> prices;
  if (program->isWhole())
    prices =
        pinPrices(graph, device.memoryBytes, entry.seconds(), movements, run);
  if (prices) {
    alternatives.arePinsExact = prices->areExact;
    alternatives.pins =
        pinChoices(function, module, *program, graph, searched, *prices);
  }
  alternatives.front = plansOnFront(graph, front, movements, run);
  return alternatives;
}

}  // namespace sbp::search
