// Alternatives to the plan that a search found for its first entry: the plans
// of named strategies (Strategies.h), the price of pinning a parameter or an
// input to each other placement, and the time of plans with less memory.

#ifndef PASSES_SEARCH_PROGRAM_ALTERNATIVES_H_
#define PASSES_SEARCH_PROGRAM_ALTERNATIVES_H_

#include <string>
#include <vector>

#include "dialects/sbp/Device.h"
#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/search/program/SearchPlan.h"
#include "passes/search/strategies/SearchSpace.h"
#include "passes/search/strategies/Strategies.h"

namespace sbp::search {

/// A tensor that may be pinned, and the price of each pin. The pin is of this
/// tensor alone. (A pin of a parameter in a model also places the optimiser's
/// state of the parameter, unless this has a pin of its own.)
struct PinChoices {
  /// A placement to which the tensor may be pinned.
  struct Choice {
    Placement placement;
    /// Additional seconds of the best plan with this pin, or a bound of them
    /// (Alternatives::arePinsExact); 0 for the placement of the plan found.
    double moreSeconds = 0;
  };

  std::string name;  // "@w" for a parameter, "tokens" for an input
  Placement planned;
  std::vector<Choice> choices;  // the cheapest first
};

/// The fastest plan that was found within some memory.
struct FrontPlan {
  double memory = 0;      // peak, bytes
  double seconds = 0;     // of one run
  double lowerBound = 0;  // of all plans within this memory
};

/// The result of findAlternatives().
struct Alternatives {
  std::vector<NamedStrategy> strategies;
  /// Prices of pins. Empty if they are not known, because elimination would
  /// take too much.
  std::vector<PinChoices> pins;
  /// Whether PinChoices::Choice::moreSeconds are exact, for plans without a
  /// memory limit. They are not if the plan found is not proven the best
  /// without a memory limit, or if tensors have too many uses. Then they are
  /// lower bounds for plans with the pin that fit into memory.
  bool arePinsExact = true;
  /// Plans from the fastest to the one with the least memory that was found.
  std::vector<FrontPlan> front;
};

/// Options of the plans with less memory that findAlternatives() looks for.
struct FrontOptions {
  /// Largest memory of each plan as a fraction of the memory of the one before.
  /// 0: look for none.
  double step = 0;
  int64_t maxPlans = 8;
};

/// Returns alternatives for the first entry of `searched`, a plan of `module`
/// that was found by a search of `space`. Prices of pins and plans with less
/// memory are those of `space`; strategies are of the whole space. Some
/// alternatives are missing if `run` is over before they are found.
FailureOr<Alternatives> findAlternatives(ModuleOp module, const Mesh& mesh,
                                         const Device& device,
                                         const SearchedPlan& searched,
                                         SearchSpace space, FrontOptions front,
                                         const SearchRun& run);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PROGRAM_ALTERNATIVES_H_
