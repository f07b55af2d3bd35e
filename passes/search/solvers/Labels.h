// All good pairs of cost and uses, by elimination.
//
// Where elimination keeps for every choice of a scope the least cost, this
// keeps a list of labels: what can be paid together with what can be used, none
// worse than another in every respect. Lists would grow without end, but with
// prices paid for the uses (Mixture.h) each label has a slack, by how much it
// is above the cheapest of all; and a label above the slack that matters is
// dropped at once. Other prices tell other labels apart: without any, those
// that are too slow; where only uses are paid, those that leave too little for
// what is still to come.

#ifndef PASSES_SEARCH_SOLVERS_LABELS_H_
#define PASSES_SEARCH_SOLVERS_LABELS_H_

#include <optional>
#include <vector>

#include "passes/search/solvers/BucketTree.h"
#include "passes/search/solvers/Resources.h"

namespace sbp::search {

struct LabelSearch {
  /// The cheapest assignment that fits, of those within the slack.
  std::optional<Assignment> cheapest;
  /// No more labels than allowed were needed: what was not found is not there.
  bool isComplete = true;
};

/// What the problem costs with some prices paid for the uses.
struct PricedTree {
  const BucketTree* tree = nullptr;  // passed down
  Cost most = kInfiniteCost;         // what costs more does not matter
};

/// Looks for assignments of `problem` within the limits of `resources` that
/// matter by all `priced` trees, of which there is at least one. Not complete
/// either when `run` is over.
LabelSearch searchLabels(const Problem& problem,
                         const std::vector<const Resource*>& resources,
                         const std::vector<PricedTree>& priced,
                         double maxLabels, const SearchRun& run);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_SOLVERS_LABELS_H_
