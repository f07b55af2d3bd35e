// Classes of interchangeable variables of a linked problem (LinkedProblem.h).
//
// Each layer of a network has parameters of its own, but the problem has the
// same costs and fans for the parameters of all layers:
//
//   query of layer 0 ---.
//   query of layer 1 ---+--- the layer's argument
//   query of layer 2 ---'
//
// Messages (Messages.h) to such variables stay equal if they are equal at
// first, so it suffices to compute the messages of one variable. The classes
// are the coarsest partition (colour refinement) such that variables of one
// class have equal costs and fans of equal classes, and fans of one class have
// equal costs and ends in equal classes.

#ifndef PASSES_SEARCH_SOLVERS_ALIKEVARIABLES_H_
#define PASSES_SEARCH_SOLVERS_ALIKEVARIABLES_H_

#include <cstddef>
#include <vector>

#include "passes/search/solvers/LinkedProblem.h"

namespace sbp::search {

/// The classes, which are numbered in the order of their first members. All
/// variables of a class have the same number of fans of each class, at the same
/// ends. No fan has two ends in one class.
struct AlikeVariables {
  std::vector<size_t> classOf;     // per variable
  std::vector<size_t> fanClassOf;  // per fan
};

/// Returns the classes of the variables and fans of `problem`.
AlikeVariables alikeVariablesOf(const LinkedProblem& problem);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_SOLVERS_ALIKEVARIABLES_H_
