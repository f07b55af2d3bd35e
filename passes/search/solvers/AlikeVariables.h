// Which variables of a linked problem nothing tells apart.
//
// The layers of a network have parameters of their own, and what the problem
// says of those of one layer it says of those of all:
//
//   query of layer 0 ---.
//   query of layer 1 ---+--- the layer's argument
//   query of layer 2 ---'
//
// Messages that begin alike stay alike, so what is told to one of them is told
// to all. Variables are put in one class as long as their costs are equal and
// their fans are, and fans as long as their ends are in the same classes.

#ifndef PASSES_SEARCH_SOLVERS_ALIKEVARIABLES_H_
#define PASSES_SEARCH_SOLVERS_ALIKEVARIABLES_H_

#include <cstddef>
#include <vector>

#include "passes/search/solvers/LinkedProblem.h"

namespace sbp::search {

/// Classes, which have numbers in the order of their first members. All
/// variables of a class have as many fans of each class, at the same ends; and
/// no fan has two ends in one class.
struct AlikeVariables {
  std::vector<size_t> classOf;     // per variable
  std::vector<size_t> fanClassOf;  // per fan
};

AlikeVariables alikeVariablesOf(const LinkedProblem& problem);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_SOLVERS_ALIKEVARIABLES_H_
