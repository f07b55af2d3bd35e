#include "passes/search/pipeline/Boundaries.h"

#include <algorithm>
#include <limits>

namespace sbp::search {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

Boundary anyPair(const JointCase& ofCase) {
  const int64_t numLayouts = ofCase.numLayouts();
  Boundary any;
  any.before.assign(numLayouts, kInfinite);
  any.after.assign(numLayouts, kInfinite);
  any.delay = kInfinite;
  for (int64_t before = 0; before < numLayouts; ++before)
    for (int64_t after = 0; after < numLayouts; ++after) {
      const CutTime& time = ofCase.cut[before][after];
      any.before[before] = std::min(any.before[before], time.busy);
      any.after[after] = std::min(any.after[after], time.busy);
      any.delay = std::min(any.delay, time.delay);
    }
  return any;
}

}  // namespace

Boundaries boundariesOf(const JointCase& ofCase, int64_t maxPairs) {
  const int64_t numLayouts = ofCase.numLayouts();
  Boundaries boundaries;
  if (numLayouts * numLayouts > maxPairs) {
    boundaries.all.push_back(anyPair(ofCase));
    boundaries.isExact = false;
    return boundaries;
  }
  for (int64_t before = 0; before < numLayouts; ++before)
    for (int64_t after = 0; after < numLayouts; ++after) {
      const CutTime& time = ofCase.cut[before][after];
      Boundary& pair = boundaries.all.emplace_back();
      pair.before.assign(numLayouts, kInfinite);
      pair.after.assign(numLayouts, kInfinite);
      pair.before[before] = pair.after[after] = time.busy;
      pair.delay = time.delay;
    }
  return boundaries;
}

}  // namespace sbp::search
