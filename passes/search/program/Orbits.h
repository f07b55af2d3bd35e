// A decision graph in which axes that are alike have no names.
//
// Three axes of two devices in one node can be named in six ways, and with them
// every plan (passes/boxing/AlikeAxes.h). States that differ in names only are
// an orbit, and a graph whose states are orbits is much smaller: an einsum of
// six ways per axis has 1,296 states on 1 + 3 axes, and 336 orbits.
//
// What a plan of orbits costs is a bound. Each orbit costs what its cheapest
// state does; each tensor lies in a placement without names; and movements are
// priced as if axes could exchange their names between any two steps
// (TransitionTable). So to every plan there is one of orbits that costs no
// more.

#ifndef PASSES_SEARCH_PROGRAM_ORBITS_H_
#define PASSES_SEARCH_PROGRAM_ORBITS_H_

#include <vector>

#include "passes/boxing/AlikeAxes.h"
#include "passes/search/Problem.h"
#include "passes/search/program/DecisionGraph.h"

namespace sbp::search {

class Orbits {
 public:
  Orbits(const DecisionGraph& graph, const AlikeAxes& alike);

  /// The decisions and flows of the graph; its placements are without names.
  const DecisionGraph& graph() const { return graph_; }

  State orbitOf(size_t decision, State state) const {
    return orbitOf_[decision][state];
  }

 private:
  DecisionGraph graph_;
  std::vector<std::vector<State>> orbitOf_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PROGRAM_ORBITS_H_
