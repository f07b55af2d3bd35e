// Classes of interchangeable variables of a factor graph (FactorGraph.h).
//
// Each layer of a network has parameters of its own, but the problem has the
// same costs and factors for the parameters of all layers:
//
//   query of layer 0 ---.
//   query of layer 1 ---+--- the layer's argument
//   query of layer 2 ---'
//
// Messages (Messages.h) to such variables stay equal if they are equal at
// first, so it suffices to compute the messages of one variable. The classes
// are the coarsest partition (colour refinement) such that variables of one
// class have equal costs and factors of equal classes, and factors of one class
// have equal costs and ends in equal classes.

#ifndef PASSES_SEARCH_SOLVERS_ALIKEVARIABLES_H_
#define PASSES_SEARCH_SOLVERS_ALIKEVARIABLES_H_

#include <cstddef>
#include <vector>

#include "passes/search/solvers/FactorGraph.h"

namespace sbp::search {

/// The classes, which are numbered in the order of their first members. All
/// variables of a class have the same number of factors of each class, at the
/// same ends. No factor has two ends in one class.
struct AlikeVariables {
  std::vector<size_t> classOf;        // per variable
  std::vector<size_t> factorClassOf;  // per factor
};

/// Returns the classes of the variables and factors of `problem`.
AlikeVariables alikeVariablesOf(const FactorGraph& problem);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_SOLVERS_ALIKEVARIABLES_H_
