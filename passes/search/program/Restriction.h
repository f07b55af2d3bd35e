// A decision graph with some of the states of its decisions.
//
// All that restricts a search is a choice of states: a pin, a strategy that has
// a name, the neighbourhood of a plan.

#ifndef PASSES_SEARCH_PROGRAM_RESTRICTION_H_
#define PASSES_SEARCH_PROGRAM_RESTRICTION_H_

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

  const DecisionGraph& graph() const { return graph_; }

  /// What `assignment` says, in the states of the whole graph.
  Assignment inWhole(const Assignment& assignment) const;

 private:
  DecisionGraph graph_;
  std::vector<std::vector<State>> kept_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PROGRAM_RESTRICTION_H_
