#include "passes/search/pipeline/StageWindows.h"

#include <algorithm>

namespace sbp::search {
namespace {

/// Returns the largest number from `low` to `high` for which `holds` is true,
/// or low - 1. If it is true for a number, it is true for all below.
template <typename Holds>
int64_t largest(int64_t low, int64_t high, Holds holds) {
  --low;
  while (low < high) {
    const int64_t middle = low + (high - low + 1) / 2;
    if (holds(middle))
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

}  // namespace

std::vector<StageWindow> stageWindows(int64_t numStages, int64_t numUnits,
                                      const CanBeStage& canBe) {
  std::vector<StageWindow> windows(numStages + 1);
  // The last stages take as many units as they can, and so do the first ones.
  windows[numStages].first = numUnits;
  for (int64_t stage = numStages; stage-- > 0;) {
    const int64_t end = windows[stage + 1].first;
    const int64_t most = largest(1, end - stage, [&](int64_t number) {
      return canBe(stage, end - number, end);
    });
    if (most < 1) return std::vector<StageWindow>(numStages + 1);
    windows[stage].first = end - most;
  }
  windows[0].last = 0;
  for (int64_t stage = 0; stage < numStages; ++stage) {
    const int64_t begin = windows[stage].last;
    const int64_t rest = numStages - 1 - stage;
    const int64_t most = largest(
        1, numUnits - rest - begin,
        [&](int64_t number) { return canBe(stage, begin, begin + number); });
    if (most < 1) return std::vector<StageWindow>(numStages + 1);
    windows[stage + 1].last = begin + most;
  }
  return windows;
}

}  // namespace sbp::search
