// A decision graph (DecisionGraph.h) as a factor graph
// (solvers/FactorGraph.h). The cost of a plan in the factor graph is a
// lower bound of its cost in the graph.
//
// A flow serves its uses in order, each from the version of the tensor that is
// the nearest by then (FlowVersions.h). So the flow is a factor: of the
// decision that makes the tensor and the decisions that use it. The costs of
// the factor are the prices of movements. Flows of tensors of one shape share
// these prices:
//
//            .---> attention
//   norm ----+       :.......> add       from the norm, or from the version
//            '...............>           that attention was given
//
// Messages need factors (solvers/Messages.h). A factor costs what its flow
// costs, except in four cases, where it costs less:
//
// - Terms of a flow are reduced only once (passes/boxing/Versions.h). A factor
//   ignores this.
// - A decision may use the tensor in several slots, and other decisions may use
//   it too. Then the decision pays for its first slot only, but other decisions
//   are served from all its slots.
// - A decision may use a tensor that it makes itself. It pays for this use only
//   if it is served first.
// - A flow may have too many uses for a factor, or uses both after a pin and
//   without one. It costs at least as much as its dearest use, so at least the
//   mean of its uses. It becomes one factor per use, and each factor counts an
//   equal fraction of its price.
//
// Other flows with pins are cut at the pins (PinnedFlows.h), and each part is a
// factor.

#ifndef PASSES_SEARCH_CHEAPEST_FLOWFACTORS_H_
#define PASSES_SEARCH_CHEAPEST_FLOWFACTORS_H_

#include <optional>

#include "passes/search/decisions/DecisionGraph.h"
#include "passes/search/decisions/FlowShares.h"
#include "passes/search/decisions/FlowViews.h"
#include "passes/search/decisions/Movements.h"
#include "passes/search/run/SearchRun.h"
#include "passes/search/solvers/FactorGraph.h"
#include "passes/search/solvers/Messages.h"

namespace sbp::search {

/// A factor graph, and what its factors and projections mean in the graph.
struct FlowFactors {
  FactorGraph problem;         // a variable per decision
  std::vector<size_t> flowOf;  // per factor, the first of its alike flows
  /// Per view of the problem, its slots of the decision, and its projections.
  std::vector<std::vector<int64_t>> slots;
  std::vector<std::vector<Projection>> projections;
};

/// Returns, for each of `numFlows` flows, the shares of its cost that decisions
/// pay at least (FlowShares.h). They are what the ends of factors have taken in
/// `messages`, those of `factors` after Messages::collect().
FlowShares sharesOf(const FlowFactors& factors, const Messages& messages,
                    size_t numFlows);

/// Returns the factor graph of `graph`. A forbidden movement has a finite
/// cost in it, much higher than the computing of any plan. Alike flows have one
/// factor. Returns nullopt if more than `maxPrices` prices would be needed, or
/// if `run` is over.
std::optional<FlowFactors> factorsOf(const DecisionGraph& graph,
                                     Movements& movements, double maxPrices,
                                     const SearchRun& run = {});

}  // namespace sbp::search

#endif  // PASSES_SEARCH_CHEAPEST_FLOWFACTORS_H_
