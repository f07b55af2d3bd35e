#include "passes/cost/Roofline.h"

#include <algorithm>
#include <cmath>

namespace sbp {
namespace {

/// Returns the fraction of the peak rate that an op of `flops` reaches.
double efficiencyAt(const std::vector<EfficiencyPoint>& points, double flops) {
  if (points.empty()) return 1;
  auto after = std::find_if(
      points.begin(), points.end(),
      [&](const EfficiencyPoint& point) { return point.flops >= flops; });
  if (after == points.begin()) return points.front().fraction;
  if (after == points.end()) return points.back().fraction;
  const EfficiencyPoint& before = *(after - 1);
  double way =
      std::log(flops / before.flops) / std::log(after->flops / before.flops);
  return before.fraction * std::pow(after->fraction / before.fraction, way);
}

}  // namespace

const Rate* rateOf(const Device& device, const ScalarType& type) {
  const Rate* narrowest = nullptr;
  for (const Rate& rate : device.rates) {
    if (rate.type.name == type.name) return &rate;
    if (!rate.type.isFloat || rate.type.bits < type.bits) continue;
    if (!narrowest || rate.type.bits < narrowest->type.bits) narrowest = &rate;
  }
  return narrowest;
}

double computeSeconds(const Device& device, const ScalarType& type,
                      double flops, double bytes) {
  double seconds = bytes / device.bytesPerSecond;
  if (const Rate* rate = rateOf(device, type); rate && flops > 0)
    seconds = std::max(
        seconds,
        flops / (rate->flopsPerSecond * efficiencyAt(rate->efficiency, flops)));
  return device.launchSeconds + seconds;
}

}  // namespace sbp
