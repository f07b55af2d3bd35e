// A shape of groups, a depth and a number of micro-batches: what a plan chooses
// first, because all prices depend on it.

#ifndef PASSES_SEARCH_PIPELINE_JOINTCASE_H_
#define PASSES_SEARCH_PIPELINE_JOINTCASE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "passes/search/pipeline/UnitOption.h"

namespace sbp::search {

/// The time that a transfer between two groups takes, per micro-batch and
/// direction.
struct CutTime {
  double busy = 0;   // seconds that both groups are busy with it
  double delay = 0;  // further seconds to its arrival
};

/// A case: D workers, groups of devices of one shape, with V stages each, and N
/// micro-batches per step.
struct JointCase {
  std::string shape;  // how a group lies in the machine, for people
  int64_t workers = 1;
  int64_t chunks = 1;
  int64_t microBatches = 1;

  std::vector<std::vector<UnitOption>> options;  // by kind of unit

  /// Seconds per micro-batch and direction that a change of layout takes
  /// between two units of a stage: move[layout before][layout after].
  std::vector<std::vector<double>> move;
  /// The same between two stages, each on its group.
  std::vector<std::vector<CutTime>> cut;

  int64_t numStages() const { return workers * chunks; }
  int64_t numLayouts() const { return static_cast<int64_t>(move.size()); }
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PIPELINE_JOINTCASE_H_
