// Flows that cost the same, whatever is decided.
//
// A layer that is called 96 times is placed once, so what it gives flows 95
// times from one slot to one other: the next call takes it as this one makes
// it. To price such flows once, and to count them 95 times, is the same, and
// does not take longer the deeper the network is.

#ifndef PASSES_SEARCH_PROGRAM_ALIKEFLOWS_H_
#define PASSES_SEARCH_PROGRAM_ALIKEFLOWS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "llvm/ADT/STLFunctionalExtras.h"
#include "passes/search/program/DecisionGraph.h"

namespace sbp::search {

/// All that the price of a flow depends on, but how often it flows.
std::vector<int64_t> priceKeyOf(const Flow& flow);

struct AlikeFlows {
  /// The first of them, but it flows as often as all of them do.
  Flow flow;
  /// Among the flows of the graph.
  std::vector<size_t> members;
};

/// All flows of `graph`, in the order of the first that are alike; those that
/// `isApart` are each for themselves, as what they take of memory differs.
std::vector<AlikeFlows> alikeFlowsOf(
    const DecisionGraph& graph,
    llvm::function_ref<bool(const Flow&)> isApart = nullptr);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PROGRAM_ALIKEFLOWS_H_
