#include "passes/search/chain/OpCost.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace sbp::search {

OpPricer::OpPricer(const Chain& chain, const Op& op, const LayoutSpace& space)
    : chain_(chain), op_(op), space_(space), bySpeed_(space.levels().size()) {
  std::iota(bySpeed_.begin(), bySpeed_.end(), 0);
  std::sort(bySpeed_.begin(), bySpeed_.end(), [&](size_t a, size_t b) {
    double betaOfA = space_.levels()[a].link.beta;
    double betaOfB = space_.levels()[b].link.beta;
    return std::tie(betaOfA, b) < std::tie(betaOfB, a);
  });
  std::vector<bool> whole(space.numKinds(), true), others = whole;
  others[space.broadcast()] = false;
  for (const Loop& loop : op.loops) {
    std::vector<bool> own(space.numKinds(), false);
    own[loop.leaves] = true;
    others[loop.leaves] = false;
    if (loop.cutsWeight) whole[loop.leaves] = false;
    ofLoops_.push_back(groupsOf(own));
  }
  synchronised_ = groupsOf(whole);
  ofOthers_ = groupsOf(others);
}

OpPricer::Groups OpPricer::groupsOf(const std::vector<bool>& kinds) const {
  Groups groups(space_.levels().size());
  for (size_t level = 0; level < groups.size(); ++level)
    for (int64_t part = 0; part < space_.numParts(level); ++part) {
      Group group;
      auto layout = static_cast<Layout>(part * space_.stride(level));
      for (size_t c = 0; c < space_.classes().size(); ++c) {
        if (space_.classes()[c].level != static_cast<int64_t>(level)) continue;
        auto prime = static_cast<double>(space_.classes()[c].prime);
        for (Kind kind = 0; kind < space_.numKinds(); ++kind)
          if (kinds[kind]) {
            int64_t axes = space_.count(layout, c, kind);
            group.devices *= std::pow(prime, axes);
            group.rounds += static_cast<double>(axes) * (prime - 1);
          }
      }
      groups[level].push_back(group);
    }
  return groups;
}

double OpPricer::devicesOf(const Groups& groups, Layout result) const {
  double devices = 1;
  for (size_t level = 0; level < groups.size(); ++level)
    devices *= groups[level][space_.partOf(result, level)].devices;
  return devices;
}

double OpPricer::scatterSeconds(const Groups& groups, Layout result,
                                double bytes, size_t firstLevel,
                                size_t lastLevel) const {
  double seconds = 0;
  for (size_t i = firstLevel; i < lastLevel; ++i) {
    size_t level = bySpeed_[i];
    const Group& group = groups[level][space_.partOf(result, level)];
    double left = bytes / group.devices;
    seconds +=
        space_.levels()[level].link.seconds({group.rounds, bytes - left});
    bytes = left;
  }
  return seconds;
}

double OpPricer::weightSeconds(Layout result, Storage storage,
                               double bytes) const {
  size_t all = bySpeed_.size();
  auto scatter = [&](double held, size_t first, size_t last) {
    return scatterSeconds(synchronised_, result, held, first, last);
  };
  auto microBatches = static_cast<double>(chain_.microBatches);
  switch (storage) {
    case Storage::Z1:
      return 2 * scatter(bytes, 0, all);
    case Storage::Z2:
      return (microBatches + 1) * scatter(bytes, 0, all);
    case Storage::Z3:
      return 3 * microBatches * scatter(bytes, 0, all);
    case Storage::Z3OnFastestLevel: {
      size_t level = bySpeed_[0];
      double sharing =
          synchronised_[level][space_.partOf(result, level)].devices;
      return 3 * microBatches * scatter(bytes, 0, 1) +
             2 * scatter(bytes / sharing, 1, all);
    }
  }
  return 0;
}

double OpPricer::weightBytes(Layout result, Storage storage,
                             double parameters) const {
  double weights = chain_.bytesPerParameter * parameters, gradients = weights;
  double optimizer = chain_.optimizerBytesPerParameter * parameters;
  double sharing = devicesOf(synchronised_, result);
  switch (storage) {
    case Storage::Z1:
      return weights + gradients + optimizer / sharing;
    case Storage::Z2:
      return weights + (gradients + optimizer) / sharing;
    case Storage::Z3:
      return (weights + gradients + optimizer) / sharing;
    case Storage::Z3OnFastestLevel: {
      size_t level = bySpeed_[0];
      double near = synchronised_[level][space_.partOf(result, level)].devices;
      return (weights + gradients) / near + optimizer / sharing;
    }
  }
  return 0;
}

TimeAndBytes OpPricer::price(Layout result, Storage storage) const {
  if (op_.allows && !op_.allows(space_, result)) return {};
  if (devicesOf(ofOthers_, result) > 1) return {};
  double work = 1, read = 1, weight = 1;
  double exchangeSeconds = 0;
  for (size_t i = 0; i < op_.loops.size(); ++i) {
    const Loop& loop = op_.loops[i];
    auto extent = static_cast<double>(loop.extent);
    double devices = devicesOf(ofLoops_[i], result);
    if (devices > extent) return {};
    // The work of the busiest device.
    work *= std::ceil(extent / devices) / extent;
    if (loop.reads < space_.numDims()) read /= devices;
    if (loop.cutsWeight) weight /= devices;
    if (loop.exchangedBytes == 0 || devices == 1) continue;
    double exchanged = loop.exchangedBytes;
    for (size_t j = 0; j < op_.loops.size(); ++j)
      if (j != i) exchanged /= devicesOf(ofLoops_[j], result);
    exchangeSeconds +=
        loop.exchangeRounds *
        scatterSeconds(ofLoops_[i], result, exchanged, 0, bySpeed_.size());
  }
  double parameters = op_.parameters * weight;
  double weights = chain_.bytesPerParameter * parameters;
  double readBytes = op_.readBytes * read;
  double bytes =
      readBytes + weights + op_.madeBytes * space_.heldFraction(result);
  double seconds = std::max(op_.flops * work / chain_.processor.flopsPerSecond,
                            bytes / chain_.processor.bytesPerSecond);
  auto microBatches = static_cast<double>(chain_.microBatches);
  seconds = microBatches * (3 * seconds + 2 * exchangeSeconds);
  if (op_.parameters == 0) {
    if (storage != Storage::Z1) return {};
    return {ticksOf(seconds), std::ceil(readBytes)};
  }
  return {ticksOf(seconds + weightSeconds(result, storage, weights)),
          std::ceil(readBytes + weightBytes(result, storage, parameters))};
}

}  // namespace sbp::search
