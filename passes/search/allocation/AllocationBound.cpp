#include "passes/search/allocation/AllocationBound.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "passes/search/allocation/Delay.h"
#include "passes/search/allocation/LeastBytes.h"

namespace sbp::search {
namespace {

/// Part of a period to which bounds are bisected.
constexpr double kBoundPrecision = 3e-4;

/// Largest number of parts of a millisecond, and of these parts in a layer's
/// time, that are tried as a common measure of times.
constexpr double kFinestScale = 1e6, kLargestWhole = 1e15;

/// A label, as described at the head of the header.
struct Label {
  double delay = 0, load = 0, bytes = 0;
  int64_t stages = 0;
};

bool isNoWorse(const Label& a, const Label& b) {
  return a.delay <= b.delay && a.load <= b.load && a.bytes <= b.bytes &&
         a.stages >= b.stages;
}

/// Labels of which none is no worse than another.
class Labels {
 public:
  /// Adds `label` unless another one is no worse. Returns the number of
  /// comparisons.
  int64_t add(const Label& label) {
    for (size_t i = 0; i < labels_.size(); ++i)
      if (isNoWorse(labels_[i], label)) {
        // What rules out one label often rules out the next one too.
        std::swap(labels_[i], labels_[i / 2]);
        return static_cast<int64_t>(i) + 1;
      }
    const auto compared = static_cast<int64_t>(labels_.size());
    labels_.erase(std::remove_if(labels_.begin(), labels_.end(),
                                 [&](const Label& other) {
                                   return isNoWorse(label, other);
                                 }),
                  labels_.end());
    labels_.push_back(label);
    return 2 * compared + 1;
  }

  /// Replaces labels by fewer weaker ones, at most `most`.
  void merge(size_t most) {
    if (labels_.size() <= most) return;
    std::sort(labels_.begin(), labels_.end(),
              [](const Label& a, const Label& b) {
                return std::pair(a.delay, a.load) < std::pair(b.delay, b.load);
              });
    std::vector<Label> all = std::move(labels_);
    labels_.clear();
    for (size_t i = 0; i < most; ++i) {
      const size_t first = i * all.size() / most;
      const size_t last = (i + 1) * all.size() / most;
      Label weakest = all[first];
      for (size_t j = first + 1; j < last; ++j) {
        weakest.delay = std::min(weakest.delay, all[j].delay);
        weakest.load = std::min(weakest.load, all[j].load);
        weakest.bytes = std::min(weakest.bytes, all[j].bytes);
        weakest.stages = std::max(weakest.stages, all[j].stages);
      }
      add(weakest);
    }
  }

  const std::vector<Label>& all() const { return labels_; }

 private:
  std::vector<Label> labels_;
};

class Refutation {
 public:
  Refutation(const StageCosts& costs, double period, const LabelLimits& limits,
             const SearchRun& run)
      : costs_(costs),
        period_(period),
        mostTime_(period * (1 + kRounding)),
        maxLabels_(limits.labels),
        workLeft_(limits.work),
        run_(run),
        numLayers_(costs.numLayers()),
        processors_(costs.problem().processors),
        room_(costs.problem().room()),
        restBytes_(costs, period),
        labels_((numLayers_ + 1) * (processors_ + 1)) {}

  bool run() {
    at(numLayers_, 0).add({});
    for (int64_t end = numLayers_; end > 0; --end)
      for (int64_t normal = 0; normal <= processors_; ++normal) {
        Labels& labels = at(end, normal);
        labels.merge(maxLabels_);
        for (const Label& label : labels.all())
          if (extend(end, normal, label)) return false;
        if (workLeft_ <= 0 || run_.isOver()) return false;
        labels = {};
      }
    return true;
  }

 private:
  Labels& at(int64_t end, int64_t normal) {
    return labels_[end * (processors_ + 1) + normal];
  }

  /// Returns the least number of processors for what several stages need.
  int64_t pooled(const Label& label) const {
    const double processors =
        std::max(label.load / mostTime_, label.bytes / room_);
    return static_cast<int64_t>(std::ceil(processors - kRounding));
  }

  /// Whether the layers before `begin` may still fit.
  bool isPossible(const Label& label, int64_t begin, int64_t normal) const {
    const auto left = static_cast<double>(processors_ - normal);
    if (left < 0) return false;
    if (label.load + costs_.load(0, begin) > left * mostTime_) return false;
    if (begin == 0) {
      const int64_t several = pooled(label);
      return normal + several <= processors_ && 2 * several <= label.stages;
    }
    return label.bytes + restBytes_.before(begin, label.delay) <= left * room_;
  }

  /// Adds the labels with one more stage before `end`. Returns true if one of
  /// them has all layers.
  bool extend(int64_t end, int64_t normal, const Label& label) {
    for (int64_t begin = end - 1; begin >= 0; --begin) {
      const double load = costs_.load(begin, end);
      if (load > mostTime_) break;
      if (begin > 0 && costs_.transfer(begin) > mostTime_) continue;
      const double delay = delayBefore(label.delay, load, period_);
      const double fixed = costs_.fixedBytes(begin, end);
      const double stash = costs_.stash(begin, end);
      if (fixed + stashesOf(delay, period_) * stash > room_) continue;
      Label next = label;
      next.delay = begin > 0
                       ? delayBefore(delay, costs_.transfer(begin), period_)
                       : delay;
      if (isPossible(next, begin, normal + 1)) {
        if (begin == 0) return true;
        workLeft_ -= at(begin, normal + 1).add(next);
      }
      next.load += load;
      next.bytes += fixed + delay / period_ * stash;
      next.stages = std::min(next.stages + 1, 2 * processors_);
      if (isPossible(next, begin, normal)) {
        if (begin == 0) return true;
        workLeft_ -= at(begin, normal).add(next);
      }
    }
    return false;
  }

  const StageCosts& costs_;
  double period_, mostTime_;
  int64_t maxLabels_, workLeft_;
  const SearchRun& run_;
  int64_t numLayers_, processors_;
  double room_;
  LeastBytes restBytes_;
  std::vector<Labels> labels_;  // by layers left, normal processors
};

}  // namespace

double leastLoad(const StageCosts& costs) {
  const LayerChain& chain = costs.problem().chain;
  const double mean =
      costs.wholeLoad() / static_cast<double>(costs.problem().processors);
  for (double scale = 1; scale <= kFinestScale; scale *= 10) {
    int64_t divisor = 0;
    bool areWhole = true;
    for (int64_t layer = 0; areWhole && layer < chain.numLayers(); ++layer) {
      const double time =
          scale * (chain.forward[layer] + chain.backward[layer]);
      const double whole = std::round(time);
      areWhole =
          std::abs(time - whole) <= kRounding * scale && whole < kLargestWhole;
      divisor = std::gcd(divisor, static_cast<int64_t>(whole));
    }
    if (!areWhole) continue;
    const double step = static_cast<double>(divisor) / scale;
    return std::max(mean, step * std::ceil(mean / step - 1e3 * kRounding));
  }
  return mean;
}

bool isRefuted(const StageCosts& costs, double period,
               const LabelLimits& limits, const SearchRun& run) {
  return Refutation(costs, period, limits, run).run();
}

double raisedBound(const StageCosts& costs, double low, double high,
                   const LabelLimits& limits, const SearchRun& run) {
  const double belowHigh = high * (1 - 2 * kRounding);
  if (low >= belowHigh || isRefuted(costs, belowHigh, limits, run)) return high;
  while (high - low > kBoundPrecision * high && !run.isOver()) {
    const double period = (low + high) / 2;
    (isRefuted(costs, period, limits, run) ? low : high) = period;
  }
  return low;
}

}  // namespace sbp::search
