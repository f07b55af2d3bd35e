#include "passes/search/strategies/Strategies.h"

#include <limits>
#include <map>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "passes/module/SampleDims.h"
#include "passes/search/cheapest/Cheapest.h"
#include "passes/search/decisions/Restriction.h"
#include "passes/search/strategies/AutoDdlSpace.h"

namespace sbp::search {

using mlir::func::FuncOp;

namespace {

/// Fraction of the time left for one strategy. Strategies hardly ever need it;
/// it leaves time for the last ones.
constexpr double kShareOfTime = 0.2;

enum class Role { Samples, Tensors, Features };

/// Storage of parameters on axes with the role Samples.
enum class Keeping { Whole, InParts };

struct Strategy {
  std::vector<Role> roles;  // per axis
  Keeping keeping = Keeping::Whole;
};

/// A tensor that a slot of a decision touches.
struct Touched {
  enum class Kind { Activation, Weight, Kept };

  int64_t slot = 0;
  Kind kind = Kind::Activation;
  int64_t sampleDim = -1;  // of an activation
  int64_t lastDim = -1;
  bool isResult = false;
};

class Comparison {
 public:
  Comparison(FuncOp entry, const mlir::SymbolTable& symbols,
             const ProgramDecisions& program, Movements& movements,
             const SearchRun& run)
      : entry_(entry),
        symbols_(symbols),
        program_(program),
        graph_(program.graph),
        movements_(movements),
        run_(run),
        touched_(graph_.decisions.size()) {
    SampleDims samples(entry, symbols);
    for (auto [op, first] : program.ops) addOp(op, first, samples);
    for (auto [argument, slot] : program.arguments)
      addValue(argument, slot, samples, /*isResult=*/false,
               Touched::Kind::Kept);
    for (const KeptTensor& tensor : graph_.kept)
      touched_[tensor.slot.decision].push_back(
          {tensor.slot.index, Touched::Kind::Kept, -1,
           static_cast<int64_t>(tensor.shape.size()) - 1, false});
  }

  std::vector<NamedStrategy> run() {
    size_t numAxes = graph_.mesh.axes.size();
    std::vector<NamedStrategy> named;
    auto add = [&](const char* name, const Strategy& strategy) {
      named.push_back({name, "", planOf(strategy)});
    };
    add("data parallelism",
        {std::vector<Role>(numAxes, Role::Samples), Keeping::Whole});
    add("ZeRO-3 (FSDP)",
        {std::vector<Role>(numAxes, Role::Samples), Keeping::InParts});
    add("tensor parallelism",
        {std::vector<Role>(numAxes, Role::Tensors), Keeping::Whole});
    named.push_back(
        bestGrid("best Megatron grid", Role::Tensors, Keeping::Whole));
    named.push_back(
        bestGrid("best SUMMA grid", Role::Features, Keeping::InParts));
    CheapestPlan autoDdl = search(autoDdlSpace(entry_, symbols_, program_));
    if (autoDdl.solution.cost < kInfiniteCost)
      named.push_back({"AutoDDL's space", "", std::move(autoDdl)});
    return named;
  }

 private:
  void addOp(Operation* op, Slot first, const SampleDims& samples) {
    bool hasSamples = llvm::any_of(op->getOperands(), [&](Value operand) {
      return samples.of(operand).has_value();
    });
    // An op without samples belongs to the optimiser.
    Touched::Kind others =
        hasSamples ? Touched::Kind::Weight : Touched::Kind::Kept;
    for (Value operand : op->getOperands()) {
      addValue(operand, first, samples, /*isResult=*/false, others);
      ++first.index;
    }
    for (Value result : op->getResults()) {
      addValue(result, first, samples, /*isResult=*/true, others);
      ++first.index;
    }
  }

  void addValue(Value value, Slot slot, const SampleDims& samples,
                bool isResult, Touched::Kind otherwise) {
    auto dim = samples.of(value);
    touched_[slot.decision].push_back(
        {slot.index, dim ? Touched::Kind::Activation : otherwise,
         dim.value_or(-1),
         llvm::cast<RankedTensorType>(value.getType()).getRank() - 1,
         isResult});
  }

  /// Whether `component`, of a tensor on one axis, contradicts the strategy.
  static bool isAgainst(const Touched& touched, Component component,
                        const Strategy& strategy, Role role) {
    bool isSplit = component.isSplit();
    if (touched.kind == Touched::Kind::Activation) {
      bool splitsSamples = isSplit && component.dim() == touched.sampleDim;
      switch (role) {
        case Role::Samples:
          return !splitsSamples;
        case Role::Tensors:
          return splitsSamples;
        case Role::Features:
          return splitsSamples ||
                 (touched.isResult && touched.lastDim != touched.sampleDim &&
                  !(isSplit && component.dim() == touched.lastDim));
      }
    }
    if (role == Role::Tensors) return false;
    if (touched.kind == Touched::Kind::Weight)
      return role == Role::Samples && isSplit;
    if (strategy.keeping == Keeping::Whole) return isSplit;
    if (role == Role::Features)
      return !(isSplit && component.dim() == touched.lastDim);
    return !isSplit;
  }

  int64_t numAgainst(size_t decision, const Decision::State& state,
                     const Strategy& strategy) const {
    int64_t number = 0;
    for (const Touched& touched : touched_[decision]) {
      llvm::ArrayRef<Component> placement =
          graph_.placements[state.placements[touched.slot]];
      for (auto [axis, role] : llvm::enumerate(strategy.roles))
        if (graph_.mesh.axes[axis].size > 1 &&
            isAgainst(touched, placement[axis], strategy, role))
          ++number;
    }
    return number;
  }

  const CheapestPlan& planOf(const Strategy& strategy) {
    auto [known, isNew] =
        plans_.try_emplace({strategy.roles, strategy.keeping});
    if (isNew) known->second = search(strategy);
    return known->second;
  }

  CheapestPlan search(const Strategy& strategy) {
    return search(
        onlyLeast(graph_, [&](size_t decision, const Decision::State& state) {
          return numAgainst(decision, state, strategy);
        }));
  }

  CheapestPlan search(const Restriction& restriction) {
    CheapestPlan plan = findCheapest(restriction.graph(),
                                     std::numeric_limits<double>::infinity(),
                                     movements_, run_.aside(kShareOfTime));
    plan.solution.assignment = restriction.inWhole(plan.solution.assignment);
    return plan;
  }

  /// Whether some axis has `other` and the next axis, which is like it,
  /// samples. Exchanging the two gives the same grid.
  bool isRepeated(uint64_t choice) const {
    const auto& axes = graph_.mesh.axes;
    for (size_t axis = 0; axis + 1 < axes.size(); ++axis)
      if (axes[axis].level == axes[axis + 1].level &&
          axes[axis].size == axes[axis + 1].size && (choice >> axis & 1) == 1 &&
          (choice >> (axis + 1) & 1) == 0)
        return true;
    return false;
  }

  /// Returns the best grid of all that give each axis samples or `other`.
  NamedStrategy bestGrid(const char* name, Role other, Keeping keeping) {
    const auto& axes = graph_.mesh.axes;
    NamedStrategy best;
    for (uint64_t choice = 0; choice < (uint64_t{1} << axes.size()); ++choice) {
      if (isRepeated(choice)) continue;
      if (!best.name.empty() && run_.isOver()) break;
      Strategy strategy;
      strategy.keeping = keeping;
      int64_t samples = 1, others = 1;
      for (auto [axis, description] : llvm::enumerate(axes)) {
        bool isOther = choice >> axis & 1;
        strategy.roles.push_back(isOther ? other : Role::Samples);
        (isOther ? others : samples) *= description.size;
      }
      const CheapestPlan& plan = planOf(strategy);
      if (best.name.empty() || isBetter(plan, best.plan))
        best = {name, llvm::formatv("{0} x {1}", samples, others), plan};
    }
    return best;
  }

  FuncOp entry_;
  const mlir::SymbolTable& symbols_;
  const ProgramDecisions& program_;
  const DecisionGraph& graph_;
  Movements& movements_;
  const SearchRun& run_;
  std::vector<std::vector<Touched>> touched_;  // per decision
  /// Plans of strategies, reused by grids whose axes all have one role.
  std::map<std::pair<std::vector<Role>, Keeping>, CheapestPlan> plans_;
};

}  // namespace

std::vector<NamedStrategy> namedStrategies(FuncOp entry,
                                           const mlir::SymbolTable& symbols,
                                           const ProgramDecisions& program,
                                           Movements& movements,
                                           const SearchRun& run) {
  return Comparison(entry, symbols, program, movements, run).run();
}

}  // namespace sbp::search
