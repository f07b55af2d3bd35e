// Elimination with labels: non-dominated pairs of cost and uses
// (resource-constrained dynamic programming).
//
// For every choice of states for a bucket's scope (BucketTree.h), elimination
// keeps the least cost. Here it keeps a list of labels. A label has a cost and
// the uses of all resources, and no label is at least as good as another in all
// of these. Bounds keep the lists short: at given prices for the uses
// (Mixture.h), the min-marginals of the problem bound what a label costs when
// it is completed. A label whose bound is above a limit is dropped at once.
// Each set of prices drops other labels: zero prices drop those that cost too
// much, and prices without costs drop those that leave too little of a resource
// for the rest.

#ifndef PASSES_SEARCH_SOLVERS_LABELS_H_
#define PASSES_SEARCH_SOLVERS_LABELS_H_

#include <optional>
#include <vector>

#include "passes/search/problem/Resources.h"
#include "passes/search/solvers/BucketTree.h"

namespace sbp::search {

/// The result of searchLabels().
struct LabelSearch {
  /// The cheapest assignment within the limits of the resources and of all
  /// priced trees, if one was found.
  std::optional<Assignment> cheapest;
  /// Whether no such assignment was overlooked: the limit of labels and the run
  /// sufficed.
  bool isComplete = true;
};

/// The elimination of the problem at one set of prices, with the limit of its
/// costs.
struct PricedTree {
  const BucketTree* tree = nullptr;  // After passDown().
  Cost most = kInfiniteCost;         // Assignments that cost more are dropped.
};

/// Looks for the cheapest assignment of `problem` that is within the limits of
/// `resources` and costs at most PricedTree::most in each of `priced`, which
/// must not be empty. All trees must have the same buckets. Stops, with an
/// incomplete result, after `maxLabels` labels or when `run` is over.
LabelSearch searchLabels(const Problem& problem,
                         const std::vector<const Resource*>& resources,
                         const std::vector<PricedTree>& priced,
                         double maxLabels, const SearchRun& run);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_SOLVERS_LABELS_H_
