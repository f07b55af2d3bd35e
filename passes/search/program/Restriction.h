// A decision graph with some of the states of its decisions.
//
// What restricts a search is a choice of states: a pin, a strategy that has a
// name, the neighbourhood of a plan; and tensors that may not be moved.

#ifndef PASSES_SEARCH_PROGRAM_RESTRICTION_H_
#define PASSES_SEARCH_PROGRAM_RESTRICTION_H_

#include <optional>
#include <vector>

#include "llvm/ADT/STLFunctionalExtras.h"
#include "passes/search/Problem.h"
#include "passes/search/program/DecisionGraph.h"

namespace sbp::search {

class Restriction {
 public:
  /// Keeps, of every decision, the states for which `keeps(decision, state)`;
  /// there must be one.
  Restriction(const DecisionGraph& graph,
              llvm::function_ref<bool(size_t decision, State state)> keeps);

  /// Forbids to move the tensors of the flows that `isKept`: they are wanted as
  /// they are made, or else a plan costs infinitely much.
  void keepInPlace(llvm::function_ref<bool(const Flow&)> isKept);

  const DecisionGraph& graph() const { return graph_; }

  /// What `assignment` says, in the states of the whole graph.
  Assignment inWhole(const Assignment& assignment) const;

  /// What `whole` says, in the states that are kept; nothing if it has others.
  std::optional<Assignment> inPart(const Assignment& whole) const;

 private:
  DecisionGraph graph_;
  std::vector<std::vector<State>> kept_;  // ascending
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PROGRAM_RESTRICTION_H_
