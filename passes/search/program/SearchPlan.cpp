#include "passes/search/program/SearchPlan.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "dialects/nn/Nn.h"
#include "fmt/format.h"
#include "llvm/Support/FormatVariadic.h"
#include "passes/boxing/Cost.h"
#include "passes/boxing/Transitions.h"
#include "passes/search/cheapest/Cheapest.h"
#include "passes/search/cheapest/LeastMemory.h"
#include "passes/search/decisions/Pricing.h"
#include "passes/search/decisions/Restriction.h"
#include "passes/search/program/Conflict.h"
#include "passes/search/reading/ReadProgram.h"
#include "passes/search/strategies/AutoDdlSpace.h"
#include "runtime/bytes/Bytes.h"

namespace sbp::search {

using mlir::func::FuncOp;

namespace {

bool isTraining(FuncOp function) {
  return !function.getBody().front().getOps<nn::SetOp>().empty();
}

EntryCost costOf(const DecisionGraph& graph, const CheapestPlan& plan,
                 Movements& movements) {
  EntryCost cost;
  cost.computing = computingSeconds(graph, plan.solution.assignment);
  cost.communicating =
      communicatingSeconds(graph, plan.solution.assignment, movements);
  cost.lowerBound = plan.solution.lowerBound;
  cost.memory = plan.memory.parts;
  return cost;
}

/// Returns the best of `plan` and `strategies`. A search without proof may have
/// missed the latter.
CheapestPlan bestOf(CheapestPlan plan, ArrayRef<NamedStrategy> strategies,
                    double memoryBytes) {
  for (const NamedStrategy& strategy : strategies) {
    CheapestPlan other = strategy.plan;
    other.fits = other.memory.bytes <= memoryBytes;
    if (!isBetter(other, plan)) continue;
    // Bounds hold for all plans, so they are kept.
    other.solution.lowerBound = plan.solution.lowerBound;
    other.leastBytes = plan.leastBytes;
    plan = std::move(other);
  }
  return plan;
}

/// Returns a plan for `entry` with little memory, independent of the limit.
/// Emits a remark with the least memory that is proven.
CheapestPlan findSmall(FuncOp entry, const DecisionGraph& graph, bool isWhole,
                       Movements& movements, const SearchRun& run) {
  std::optional<LeastMemory> least = leastMemory(graph, movements, run);
  // If LeastMemory.h takes too much, use the plan that a search finds under a
  // limit that none can keep.
  constexpr double kNoMemory = 1;
  if (!least) return findCheapest(graph, kNoMemory, movements, run);
  CheapestPlan plan =
      pricedPlan(graph, std::move(least->assignment), kInfiniteCost, movements);
  if (least->bound == 0 || !isWhole) return plan;
  // Buffers are whole bytes and aligned, so the bound is rounded up, except for
  // rounding errors.
  auto bound = static_cast<int64_t>(std::ceil(least->bound * (1 - 1e-9)));
  mlir::emitRemark(entry.getLoc()) << fmt::format(
      "no plan for @{} takes less than {}", entry.getName().str(),
      bytes::toExactText(static_cast<double>(alignedBytes(bound))));
  return plan;
}

/// kShareOfEntry: fraction of the time left that an entry takes, if other
/// entries are after it. kShareOfCheapest: fraction of the entry's time that
/// the search for its cheapest plan takes. The rest is for named strategies and
/// for the least memory, which are searched if the plan is not proven.
constexpr double kShareOfEntry = 0.8, kShareOfCheapest = 0.8;

constexpr size_t kMaxNamedPins = 10;

/// Emits the error that no plan is found that fits, with a note for each of
/// `pins`.
LogicalResult reportMissingMemory(FuncOp entry, double memoryBytes,
                                  ArrayRef<Location> pins) {
  mlir::InFlightDiagnostic error =
      mlir::emitError(entry.getLoc())
      << fmt::format("no plan is found for @{} that fits in the {} of a device",
                     entry.getName().str(), bytes::toExactText(memoryBytes));
  for (Location pin : pins.take_front(kMaxNamedPins))
    error.attachNote(pin) << (pins.size() == 1
                                  ? "this pin leaves no plan that fits"
                                  : "together these pins leave no plan that "
                                    "fits: this one");
  if (pins.size() > kMaxNamedPins)
    error.attachNote() << "and " << pins.size() - kMaxNamedPins << " more";
  return error;
}

}  // namespace

FailureOr<SearchedPlan> searchPlan(ModuleOp module, const Mesh& mesh,
                                   const Device& device, SearchSpace space,
                                   SearchGoal goal, const SearchRun& run) {
  mlir::SymbolTable symbols(module);
  TransitionTable transitions(mesh);
  SmallVector<FuncOp> entries;
  for (bool training : {true, false})
    for (auto function : module.getOps<FuncOp>())
      if (function.isPublic() && isTraining(function) == training)
        entries.push_back(function);

  SearchedPlan searched;
  for (FuncOp entry : entries) {
    const SearchRun ofEntry =
        run.part(entry == entries.back() ? 1 : kShareOfEntry);
    const SearchRun exact = ofEntry.part(kShareOfCheapest);
    run.beginEntry(entry.getName().str());
    FailureOr<ProgramDecisions> program =
        readProgram(entry, symbols, mesh, device, searched.plan, exact);
    if (failed(program)) return failure();
    Movements movements(program->graph.placements, transitions);
    bool isFree = space == SearchSpace::Full || !searched.entries.empty();
    std::optional<Restriction> restriction;
    if (!isFree) restriction = autoDdlSpace(entry, symbols, *program);
    const DecisionGraph& graph =
        restriction ? restriction->graph() : program->graph;
    CheapestPlan plan =
        goal == SearchGoal::Memory
            ? findSmall(entry, graph, program->isWhole(), movements, ofEntry)
            : findCheapest(graph, device.memoryBytes, movements, exact);
    if (restriction)
      plan.solution.assignment = restriction->inWhole(plan.solution.assignment);
    // Bounds for some plans do not hold for all plans.
    if (!program->isWhole()) plan.solution.lowerBound = plan.leastBytes = 0;
    if (plan.solution.cost == kInfiniteCost && exact.isOver())
      return entry.emitOpError()
             << "has no plan in AutoDDL's space that the search found before "
                "it was ended by its limit of "
             << *run.endedBy();
    if (plan.solution.cost == kInfiniteCost)
      return entry.emitOpError()
             << "has no plan in AutoDDL's space, in which parameters lie as "
                "ops use them, that agrees with the pins";
    if (goal == SearchGoal::Time) {
      if (!isProven(plan, run.gap()) && isFree) {
        std::vector<NamedStrategy> strategies =
            namedStrategies(entry, symbols, *program, movements, ofEntry);
        plan = bestOf(std::move(plan), strategies, device.memoryBytes);
        if (searched.entries.empty())
          searched.strategies = std::move(strategies);
      }
      if (!plan.fits)
        return reportMissingMemory(
            entry, device.memoryBytes,
            isFree && program->isWhole()
                ? conflictingPins(entry, mesh, device, searched.plan, ofEntry)
                : SmallVector<Location>());
    }
    addToPlan(*program, plan.solution.assignment, searched.plan);
    EntryCost cost = costOf(program->graph, plan, movements);
    cost.entry = entry.getName().str();
    searched.entries.push_back(std::move(cost));
  }
  // Parameters that no entry reads are whole.
  for (auto parameter : module.getOps<nn::ParameterOp>())
    searched.plan.parameters.try_emplace(parameter.getSymNameAttr(),
                                         Placement(mesh.axes.size()));
  searched.endedBy = run.endedBy();
  return searched;
}

void remarkUnproven(ModuleOp module, const SearchedPlan& searched, double gap) {
  for (const EntryCost& cost : searched.entries) {
    if (cost.isProven(gap)) continue;
    auto entry = module.lookupSymbol<FuncOp>(cost.entry);
    mlir::InFlightDiagnostic remark = mlir::emitRemark(entry.getLoc());
    remark << llvm::formatv("the plan for @{0} takes {1:e3} s by the model; ",
                            cost.entry, cost.seconds());
    if (cost.lowerBound > 0)
      remark << llvm::formatv("none takes less than {0:e3} s, but ",
                              cost.lowerBound);
    remark << "it is not proven to be the best";
    if (searched.endedBy)
      remark << ": the search was ended by its limit of " << *searched.endedBy;
  }
}

}  // namespace sbp::search
