// Classes of flows that cost the same in every plan.
//
// A layer that is called 96 times is placed once. So its result flows 95 times
// from one slot to another (DecisionGraph.h), from each call to the next. Such
// flows are priced once, and their price counts 95 times. This makes the time
// of pricing independent of the depth of a network.

#ifndef PASSES_SEARCH_DECISIONS_ALIKEFLOWS_H_
#define PASSES_SEARCH_DECISIONS_ALIKEFLOWS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "llvm/ADT/STLFunctionalExtras.h"
#include "passes/search/decisions/DecisionGraph.h"

namespace sbp::search {

/// Returns a key of all that the price of `flow` depends on, apart from
/// Flow::times.
std::vector<int64_t> priceKeyOf(const Flow& flow);

/// A class of flows with one price.
struct AlikeFlows {
  /// The first flow of the class, with the sum of `times` of all of them.
  Flow flow;
  /// Indices of the flows in DecisionGraph::flows.
  std::vector<size_t> members;
};

/// Returns the classes of all flows of `graph`, in the order of their first
/// members. A flow for which `isApart` is true is a class of its own: its
/// memory differs from that of flows with the same price.
std::vector<AlikeFlows> alikeFlowsOf(
    const DecisionGraph& graph,
    llvm::function_ref<bool(const Flow&)> isApart = nullptr);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_DECISIONS_ALIKEFLOWS_H_
