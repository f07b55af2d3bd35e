// A decision graph with only some states of its decisions, and with tensors
// that may not be moved.
//
// Searches are restricted by pins, by a named strategy, or to the neighbourhood
// of a plan.

#ifndef PASSES_SEARCH_DECISIONS_RESTRICTION_H_
#define PASSES_SEARCH_DECISIONS_RESTRICTION_H_

#include <optional>
#include <vector>

#include "llvm/ADT/STLFunctionalExtras.h"
#include "passes/search/decisions/DecisionGraph.h"
#include "passes/search/problem/Problem.h"

namespace sbp::search {

/// A graph with fewer states, and the translation of assignments.
class Restriction {
 public:
  /// Keeps the states of each decision for which `keeps(decision, state)` is
  /// true. At least one state of each decision must be kept.
  Restriction(const DecisionGraph& graph,
              llvm::function_ref<bool(size_t decision, State state)> keeps);

  /// Forbids moving the tensors of flows for which `isKept` is true. A plan in
  /// which a use wants such a tensor in another placement than the one in which
  /// it is made has an infinite cost.
  void keepInPlace(llvm::function_ref<bool(const Flow&)> isKept);

  const DecisionGraph& graph() const { return graph_; }

  /// Returns `assignment`, of the restricted graph, with the states of the
  /// whole graph.
  Assignment inWhole(const Assignment& assignment) const;

  /// Returns `whole` with the states of the restricted graph; nullopt if it has
  /// a state that was not kept.
  std::optional<Assignment> inPart(const Assignment& whole) const;

 private:
  DecisionGraph graph_;
  std::vector<std::vector<State>> kept_;  // ascending
};

/// Keeps the states of each decision for which `number(decision, state)` is
/// least.
Restriction onlyLeast(
    const DecisionGraph& graph,
    llvm::function_ref<int64_t(size_t decision, const Decision::State& state)>
        number);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_DECISIONS_RESTRICTION_H_
