// The constants of the search for allocations, and what each of them trades.

#ifndef PASSES_SEARCH_ALLOCATION_ALLOCATIONTUNING_H_
#define PASSES_SEARCH_ALLOCATION_ALLOCATIONTUNING_H_

#include <cstdint>

#include "passes/search/allocation/AllocationBound.h"
#include "passes/search/allocation/AllocationTree.h"
#include "passes/search/allocation/SpecialProcessor.h"

namespace sbp::search {

/// The constants of searchAllocation. All count work, never time, so that equal
/// problems have equal answers.
struct AllocationTuning {
  /// Grids of MadPipe-DP: coarse ones are fast, and overestimate memory.
  SpecialProcessorGrids grids;

  /// Largest number of labels per cut and number of normal processors of the
  /// first bound, and of the last one. Further labels are merged into weaker
  /// ones. More labels make bounds higher, and slower with their square.
  LabelLimits fewLabels = {8, 2'000'000'000}, manyLabels = {64, 1'000'000'000};
  /// Gap between the best period and the bound, as a part of the period, below
  /// which each better pattern is followed by an attempt to prove it best.
  double gapOfProof = 2e-3;

  /// Number of allocations that one descent looks at. Longer descents find
  /// better allocations, and there are fewer of them in the same time.
  int64_t movesPerDescent = 60000;
  /// Number of descents of the first round, which doubles with each round, and
  /// of all rounds but the last. More of them find more, and take longer.
  int64_t firstDescents = 8, maxDescents = 504;

  /// Part of a limit by which a descent may exceed it at first and at last: the
  /// temperatures. High ones search more widely. A descent that looks for a
  /// small improvement begins cooler, in proportion, down to the last part.
  double firstHeat = 0.05, lastHeat = 0.0005, coolestPart = 0.05;

  /// Number of stages per processor that a descent may make. More allow better
  /// balance, and make patterns slower to find.
  int64_t stagesPerProcessor = 4;

  /// Limits of the search of all allocations in the first round, and the factor
  /// by which the nodes grow with each round. Larger ones prove more, and take
  /// longer.
  AllocationTreeLimits firstAllocations = {300'000, 10'000};
  int64_t allocationsFactor = 3;
  /// Number of periods for which the search is done in the last round. More of
  /// them raise the bound.
  int64_t periodsOfAllocations = 8;

  /// Number of nodes of the exact scheduler for an allocation that a descent
  /// has found, and for one that will be reported.
  int64_t nodesPerTrial = 300, nodesPerPattern = 20000;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_ALLOCATION_ALLOCATIONTUNING_H_
