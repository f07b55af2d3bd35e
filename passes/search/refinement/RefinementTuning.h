// What the search of ExactSearch.h weighs against each other. No constant
// changes what is proven; each changes how soon.

#ifndef PASSES_SEARCH_REFINEMENT_REFINEMENTTUNING_H_
#define PASSES_SEARCH_REFINEMENT_REFINEMENTTUNING_H_

#include <cstddef>
#include <cstdint>

#include "passes/search/chain/Rows.h"

namespace sbp::search {

/// The constants of one search, in the order in which it meets them.
struct RefinementTuning {
  // --- Limits.

  /// Default limit of work: number of layouts that are carried over a block.
  /// Some 10^7 are carried per second. Time against proofs.
  double mostWork = 4.5e8;
  /// Default limit of entries of rows: some hundred megabytes. Memory against
  /// rows that are known in part, which are weaker bounds.
  int64_t mostEntries = 40'000'000;

  // --- How much work is what, in sweeps over a block.

  /// Number of rows that are added to values in the time of a sweep.
  double rowsPerSweep = 32;
  /// First estimate of the number of narrow rows of a reduced space in the time
  /// of a sweep; the search measures it.
  double narrowRowsPerSweep = 60;
  /// Number of sweeps that listing the moves of a block takes, if plans pass
  /// all layouts. Lists are made once sweeps have taken as long.
  double sweepsPerList = 48;
  /// Most layouts of a stage in a list. Memory against sweeps over all moves.
  size_t mostListed = 400'000;

  // --- Rounds: which rows are added, and up to which cost.

  /// Number of missing rows up to which all of them are computed at once. Rows
  /// that another round would have spared, against rounds.
  size_t lastRows = 1024;
  /// Each round adds rows for plans up to some cost between the bound and the
  /// limit: the bound plus a part of their difference. The first part is
  /// aimedBlocks / number of blocks, because a detour costs the same in a
  /// deeper network, but the difference grows with depth. The part is
  /// multiplied by aimedGrowth after each round in which the bound rises by
  /// less than twice the part aimed at; otherwise it becomes the first part
  /// again. Rows that no cheap plan passes, against rounds.
  double aimedBlocks = 12, aimedGrowth = 4;
  /// Least number of rows of a block that are added before bounds are computed
  /// anew. Rows against sweeps.
  size_t rowsAtOnce = 8;
  /// Values of value functions per further such row, because these are computed
  /// anew.
  size_t valuesPerRow = 4;
  /// Number of narrow rows that are added at once, and limits of the cost up to
  /// which plans matter to them. Plans up to this cost pass at most
  /// passedPerNarrow * narrowAtOnce layouts without a row per block on average;
  /// with more, rows become wide, in deep networks above all. But they pass at
  /// least passedPerWhole times the number of whole rows that are added at
  /// once.
  size_t narrowAtOnce = 128, passedPerNarrow = 5, passedPerWhole = 2;
  /// Fewest rows of a block for which computing the cost left in the block pays
  /// off.
  size_t fewestNarrowRows = 4;
  /// A row is swept if more than one in this many layouts would be visited one
  /// by one.
  size_t partOfFew = 3;
  /// Most rounds of adding rows of a reduced space if rows are narrow; twice as
  /// many if they are wide. With more rounds than Rows keeps groups
  /// (Rows::kMostShared), rows would be dropped while others are added, without
  /// end.
  size_t mostRounds = 8;

  // --- Values along the chain.

  /// Number of periods after which values that do not repeat are lowered until
  /// they do. Depth without cost, against rough bounds of layouts far from the
  /// plan.
  int64_t mostPeriods = 6;

  // --- Lifting.

  /// A plan is lifted before the end in two cases, in which plans can pass only
  /// few layouts. One: the layouts without a row that matter are at most one in
  /// partToLift of all layouts. The other: the plan is farToLift times nearer
  /// the bound than the last lifted plan; then lifting gives up after fewPlans
  /// plans that cost more than counts promise. A limit that is a cost of
  /// placements, against lifting plans that are replaced soon.
  int64_t partToLift = 64;
  double farToLift = 4;
  int64_t fewPlans = 32;
  /// If counts promised too little for an entry, other entries of its row may
  /// take its place, and are lifted too. They are those that matter to plans up
  /// to some cost: the bound plus this multiple of what was promised too
  /// little.
  double liftedBeyond = 4;
  /// Number of rows with wrong counts from which on counts are often wrong, so
  /// that rows are lifted before plans use them.
  int64_t manyRaised = 8;
  /// Most entries of a narrow row that is lifted beforehand.
  size_t mostLifted = 200;
};

inline constexpr RefinementTuning kRefinement;
static_assert(2 * kRefinement.mostRounds < Rows::kMostShared);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_REFINEMENT_REFINEMENTTUNING_H_
