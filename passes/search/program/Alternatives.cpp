#include "passes/search/program/Alternatives.h"

#include <algorithm>
#include <limits>
#include <map>

#include "dialects/nn/Nn.h"
#include "mlir/IR/SymbolTable.h"
#include "passes/boxing/Transitions.h"
#include "passes/search/program/AutoDdlSpace.h"
#include "passes/search/program/Cheapest.h"
#include "passes/search/program/Tables.h"

namespace sbp::search {

using mlir::func::FuncOp;

namespace {

constexpr double kUnlimited = std::numeric_limits<double>::infinity();

/// The choices of the tensor in `slot`, from what its decision's states take.
PinChoices choicesOf(const DecisionGraph& graph, Slot slot,
                     const std::vector<double>& leastSeconds) {
  std::map<PlacementTable::Number, double> least;
  double best = kUnlimited;
  for (auto [state, seconds] : llvm::enumerate(leastSeconds)) {
    double& known =
        least
            .try_emplace(graph.placementAt(slot, static_cast<int64_t>(state)),
                         kUnlimited)
            .first->second;
    known = std::min(known, seconds);
    best = std::min(best, seconds);
  }
  PinChoices pin;
  for (auto [number, seconds] : least) {
    if (seconds == kUnlimited) continue;  // not in the space
    double more = seconds - best;
    // Costs are sums of rounded ones.
    if (more <= 1e-9 * best) more = 0;
    pin.choices.push_back({Placement(graph.placements[number]), more});
  }
  llvm::sort(pin.choices, [](const auto& a, const auto& b) {
    if (a.moreSeconds != b.moreSeconds) return a.moreSeconds < b.moreSeconds;
    return stringOf(a.placement) < stringOf(b.placement);
  });
  return pin;
}

std::vector<PinChoices> pinChoices(FuncOp entry, ModuleOp module,
                                   const ProgramDecisions& program,
                                   const DecisionGraph& graph, const Plan& plan,
                                   Movements& movements) {
  std::vector<PinChoices> pins;
  auto least = leastCostsOf(graph, movements);
  if (!least) return pins;
  auto add = [&](std::string name, Slot slot, const Placement& planned) {
    PinChoices pin = choicesOf(graph, slot, least->with[slot.decision]);
    pin.name = std::move(name);
    pin.planned = planned;
    pins.push_back(std::move(pin));
  };
  for (mlir::BlockArgument input : entry.getArguments()) {
    auto name = entry.getArgAttrOfType<mlir::StringAttr>(input.getArgNumber(),
                                                         nn::kInputAttrName);
    add(name ? name.str() : "input" + std::to_string(input.getArgNumber()),
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

std::vector<TradeOff> tradeOffs(const DecisionGraph& graph,
                                FrontOptions options, Movements& movements) {
  std::vector<TradeOff> front;
  if (options.step == 0) return front;
  double limit = kUnlimited;
  for (int64_t number = 0; number < options.maxPlans; ++number) {
    CheapestPlan plan = findCheapest(graph, limit, movements);
    if (!plan.fits) break;
    front.push_back(
        {plan.memory.bytes, plan.solution.cost, plan.solution.lowerBound});
    limit = options.step * plan.memory.bytes;
  }
  return front;
}

}  // namespace

FailureOr<Alternatives> findAlternatives(ModuleOp module, StringRef entry,
                                         const Mesh& mesh, const Device& device,
                                         const Plan& plan, SearchSpace space,
                                         FrontOptions front) {
  mlir::SymbolTable symbols(module);
  auto function = symbols.lookup<FuncOp>(entry);
  FailureOr<ProgramDecisions> program =
      readProgram(function, symbols, mesh, device, Plan());
  if (failed(program)) return failure();
  TransitionTable transitions(mesh);
  Movements movements(program->graph.placements, transitions);
  Alternatives alternatives;
  alternatives.strategies =
      strategyCosts(function, symbols, *program, movements);
  DecisionGraph graph = space == SearchSpace::AutoDdl
                            ? autoDdlSpace(function, symbols, *program).graph()
                            : program->graph;
  alternatives.pins =
      pinChoices(function, module, *program, graph, plan, movements);
  alternatives.front = tradeOffs(graph, front, movements);
  return alternatives;
}

}  // namespace sbp::search
