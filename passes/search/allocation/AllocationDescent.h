// Allocations for a given period, by annealing.
//
// The energy of an allocation at a period T is how far it exceeds its limits,
// each as a part of the limit: the time of each processor and link, and the
// memory of each processor, with the least delays (Delay.h). A processor with
// several stages needs at least the mean of its use over time; it may need as
// much as all stages together with all that they have in flight. `reserve` says
// where between the two it is assumed to be.
//
// Moves: shift a boundary; give a stage, or a part of one, to another
// processor; merge two neighbours; swap the processors of two stages.

#ifndef PASSES_SEARCH_ALLOCATION_ALLOCATIONDESCENT_H_
#define PASSES_SEARCH_ALLOCATION_ALLOCATIONDESCENT_H_

#include <cstdint>
#include <functional>
#include <random>
#include <vector>

#include "passes/search/allocation/Allocation.h"
#include "passes/search/allocation/AllocationTuning.h"
#include "passes/search/allocation/StageCosts.h"

namespace sbp::search {

/// The energy of allocations, as described at the head of this file.
class AllocationEnergy {
 public:
  AllocationEnergy(const StageCosts& costs, double period, double reserve);

  double operator()(const Allocation& allocation);

 private:
  /// The needs of one processor.
  struct Needs {
    double load = 0, fixed = 0;
    double mean = 0, most = 0;      // bytes of stashes
    double least = 0, largest = 0;  // all but one in flight; one stash
    int64_t stages = 0;
  };

  const StageCosts& costs_;
  double period_, reserve_;
  std::vector<Needs> needs_;  // by processor
  struct LinkLoad {
    int64_t low = 0, high = 0;  // processors
    double load = 0;
  };
  std::vector<LinkLoad> links_;
};

/// Searches for an allocation of energy 0, from `start`, with temperatures from
/// `firstHeat` on. Calls `accept` for
/// each that it finds; ends if that returns true, and otherwise goes on, away
/// from there. Returns whether `accept` returned true.
bool descendFrom(Allocation start, AllocationEnergy& energy, int64_t processors,
                 double firstHeat, const AllocationTuning& tuning,
                 std::mt19937_64& random,
                 const std::function<bool(const Allocation&)>& accept);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_ALLOCATION_ALLOCATIONDESCENT_H_
