// The quotient of a decision graph by renamings of alike axes.
//
// Three axes of two devices in one node can be named in six ways, and so can
// the axes in every plan (passes/boxing/AlikeAxes.h). States that differ only
// in names form an orbit. A graph whose states are orbits is much smaller: an
// einsum with six signatures per axis has 1,296 states on 1 + 3 axes, and 336
// orbits.
//
// The cost of a plan of orbits is a lower bound. An orbit costs as much as its
// cheapest state; tensors have placements without names; and movements are
// priced as if axes could exchange names between any two steps
// (TransitionTable). So for each plan there is a plan of orbits that costs no
// more.

#ifndef PASSES_SEARCH_SYMMETRY_ORBITS_H_
#define PASSES_SEARCH_SYMMETRY_ORBITS_H_

#include <vector>

#include "passes/boxing/AlikeAxes.h"
#include "passes/search/decisions/DecisionGraph.h"
#include "passes/search/problem/Problem.h"

namespace sbp::search {

/// The graph of orbits of a decision graph.
class Orbits {
 public:
  Orbits(const DecisionGraph& graph, const AlikeAxes& alike);

  /// Returns the graph of orbits, with the decisions of the given graph. Flows
  /// with pins may be divided into several (PinnedFlows.h). Placements are
  /// without names.
  const DecisionGraph& graph() const { return graph_; }

  State orbitOf(size_t decision, State state) const {
    return orbitOf_[decision][state];
  }

 private:
  DecisionGraph graph_;
  std::vector<std::vector<State>> orbitOf_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_SYMMETRY_ORBITS_H_
