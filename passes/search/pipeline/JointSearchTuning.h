// The constants of the joint search, and what each of them trades.

#ifndef PASSES_SEARCH_PIPELINE_JOINTSEARCHTUNING_H_
#define PASSES_SEARCH_PIPELINE_JOINTSEARCHTUNING_H_

#include <cstdint>

#include "passes/schedule/order/SynthesiseOrder.h"

namespace sbp::search {

/// The constants of searchJointPlan. All count work, never time, so that equal
/// problems have equal answers.
struct JointSearchTuning {
  /// Largest number of pairs of layouts that are told apart at a cut. With more
  /// layouts, each side of a cut pays its least transfer. More pairs make
  /// bounds tighter, and labels as many times slower.
  int64_t maxBoundaries = 16;

  /// Number of classes of transient bytes for which a stage has a price of its
  /// own. More classes make bounds of memory tighter, and prices slower.
  int64_t maxTransientClasses = 6;

  /// Number of prices of memory that are tried for a run of units. A price
  /// stops earlier if it is exact.
  int64_t maxMemoryPrices = 12;

  /// Largest number of non-dominated ways to run a stage that are enumerated
  /// per layout. Stages with more ways are run as spliced plans, which are
  /// fast, but leave a gap.
  int64_t maxFront = 96;

  /// Largest number of labels of a number of stages and units that are kept.
  /// Further labels are merged with others into weaker ones.
  int64_t maxLabels = 24;

  /// Number of units per stage from which on labels are first found for cuts at
  /// multiples of several units: the grid. A larger number makes the first
  /// labels better, and more.
  int64_t gridPerStage = 4;

  /// First gap between a case's bound and the limit under which its plans are
  /// searched, as a part of the bound, and the factor by which it grows until
  /// plans are found. Small gaps make searches fast; if too small, searches are
  /// repeated in vain.
  double firstGap = 1.0 / 512;
  double gapFactor = 2;

  /// Largest number of units up to which the mean of workers is bounded stage
  /// by stage (MeanBound.h). Its work grows with the square of units, and more
  /// units gain little.
  int64_t maxMeanUnits = 256;

  /// Part of the incumbent's time by which an even cut may be slower if it is
  /// improved by moving boundaries. A smaller number skips cases that might
  /// have become best.
  double mostDescent = 0.05;

  /// Largest number of cuts up to which plans of families whose workers have
  /// several stages are searched stage by stage, and not only by moving the
  /// boundaries of one cut. A larger number closes gaps of small problems.
  double maxCuts = 20000;

  /// Largest number of nodes of a depth-first search for plans of one case and
  /// family under one limit, and the number of tables that it simulates. Larger
  /// numbers close gaps.
  int64_t maxNodes = 4000;
  int64_t maxTables = 400;

  /// Number of cuts, the fastest ones, for which a better order of tasks than
  /// the family's is searched, and the gap between a family's table and a bound
  /// of all orders from which on it is. Plans with such an order cannot be
  /// named by a family, so none is searched unless a caller asks for it.
  int64_t maxReordered = 0;
  double leastOrderGap = 0.01;
  /// The constants of each such search.
  schedule::SynthesisTuning ordering;

  /// Largest number of tasks of these tables together.
  int64_t maxTasks = 1 << 19;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PIPELINE_JOINTSEARCHTUNING_H_
