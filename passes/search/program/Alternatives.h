// What else there is beside the plan that was found.
//
// Three questions about the entry whose plan was searched first: what the
// strategies take that have a name; what it would take to pin a parameter or an
// input otherwise; and what time less memory costs.

#ifndef PASSES_SEARCH_PROGRAM_ALTERNATIVES_H_
#define PASSES_SEARCH_PROGRAM_ALTERNATIVES_H_

#include <string>
#include <vector>

#include "dialects/sbp/Device.h"
#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/search/program/SearchPlan.h"
#include "passes/search/program/SearchSpace.h"
#include "passes/search/program/Strategies.h"

namespace sbp::search {

/// A tensor that may be pinned: it alone. (A pin that a model gives a parameter
/// is one of the optimiser's state too, if that has none of its own.)
struct PinChoices {
  struct Choice {
    Placement placement;
    /// What the best plan with this pin takes more than the plan that was
    /// found, or a bound (Alternatives::arePinsExact); 0 for where that has it.
    double moreSeconds = 0;
  };

  std::string name;  // "@w" for a parameter, "tokens" for an input
  Placement planned;
  std::vector<Choice> choices;  // the cheapest first
};

/// A plan that takes the least time of those that take no more memory.
struct TradeOff {
  double memory = 0;      // bytes, when most is needed
  double seconds = 0;     // of one run
  double lowerBound = 0;  // no plan with that memory takes less
};

struct Alternatives {
  std::vector<NamedStrategy> strategies;
  /// None where prices are not known, because elimination would take too much.
  std::vector<PinChoices> pins;
  /// If so, prices are what pins cost where there is no limit of memory. Else
  /// the plan is not known to be the best without such a limit, or some tensors
  /// have too many uses; then a plan with that pin that fits into memory takes
  /// at least as much more, and perhaps more than that.
  bool arePinsExact = true;
  /// From the fastest plan to the one with the least memory that was found.
  std::vector<TradeOff> front;
};

/// How far `findAlternatives` looks for plans with less memory.
struct FrontOptions {
  /// Each plan takes at most this part of the memory of the one before; no
  /// front if 0.
  double step = 0;
  int64_t maxPlans = 8;
};

/// Alternatives to the plan `searched`, which was searched for `module` in
/// `space`, for the entry that comes first in it. Strategies are not of that
/// space; what pins change, and time for memory, are. When `run` is over, some
/// are not known.
FailureOr<Alternatives> findAlternatives(ModuleOp module, const Mesh& mesh,
                                         const Device& device,
                                         const SearchedPlan& searched,
                                         SearchSpace space, FrontOptions front,
                                         const SearchRun& run);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PROGRAM_ALTERNATIVES_H_
