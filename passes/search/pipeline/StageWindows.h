// The units at which the stages of a cut can begin, if no stage may be too
// long.

#ifndef PASSES_SEARCH_PIPELINE_STAGEWINDOWS_H_
#define PASSES_SEARCH_PIPELINE_STAGEWINDOWS_H_

#include <cstdint>
#include <functional>
#include <vector>

namespace sbp::search {

/// The first and the last unit at which a stage can begin. The window is empty
/// if there is no cut.
struct StageWindow {
  int64_t first = 0, last = -1;

  bool has(int64_t begin) const { return first <= begin && begin <= last; }
};

/// Whether units begin, ..., end - 1 can be stage `stage`. If a run can be, so
/// can all runs within it.
using CanBeStage =
    std::function<bool(int64_t stage, int64_t begin, int64_t end)>;

/// Returns the window of each stage, and of the end, for cuts of `numUnits`
/// units into `numStages` stages that all can be. Calls `canBe` a number of
/// times proportional to the number of stages and the logarithm of units.
std::vector<StageWindow> stageWindows(int64_t numStages, int64_t numUnits,
                                      const CanBeStage& canBe);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PIPELINE_STAGEWINDOWS_H_
