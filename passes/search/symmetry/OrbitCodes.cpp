#include "passes/search/symmetry/OrbitCodes.h"

#include <numeric>

namespace sbp::search {

OrbitCodes::OrbitCodes(const LayoutSpace& plain, Layout start, Axes axes) {
  for (size_t c = 0; c < plain.classes().size(); ++c) {
    Counts all(plain.numKinds(), 0);
    for (Kind kind = 0; kind < plain.numKinds(); ++kind) {
      all[kind] = plain.count(start, c, kind);
      Counts own(plain.numKinds(), 0);
      own[kind] = all[kind];
      if (axes == Axes::ByStart && own[kind] > 0) add(plain, c, own);
    }
    if (axes == Axes::ByClass) add(plain, c, all);
  }
}

void OrbitCodes::add(const LayoutSpace& plain, int64_t axisClass,
                     const Counts& counts) {
  const AxisClass& axes = plain.classes()[axisClass];
  const Shares& shares =
      plain.shares(std::accumulate(counts.begin(), counts.end(), int64_t{0}));
  int32_t bits = 0;
  while ((int64_t{1} << bits) < shares.numWays()) ++bits;
  AxisOrbit axisOrbit{axisClass, axes.level, axes.prime,
                      &shares,   bits_,      (OrbitCode{1} << bits) - 1};
  bits_ += bits;
  if (!fit()) return;
  start_ = axisOrbit.with(start_, shares.wayOf(counts));
  axisOrbits_.push_back(axisOrbit);
}

}  // namespace sbp::search
