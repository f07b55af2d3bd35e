#include "passes/search/allocation/LeastBytes.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "passes/search/allocation/Delay.h"

namespace sbp::search {
namespace {

/// Number of periods of delay per processor. Longer delays count as the longest
/// one. More delays make sums larger, and take longer.
constexpr int64_t kPeriodsPerProcessor = 2;

/// Returns the number of delays per period: fewer in long chains.
int64_t delaysPerPeriod(int64_t numLayers) {
  constexpr int64_t kFewest = 4, kMost = 32, kDelaysOfLayers = 4096;
  return std::clamp(kDelaysOfLayers / numLayers, kFewest, kMost);
}

}  // namespace

LeastBytes::LeastBytes(const StageCosts& costs, double period)
    : part_(period / static_cast<double>(delaysPerPeriod(costs.numLayers()))),
      numDelays_(delaysPerPeriod(costs.numLayers()) * kPeriodsPerProcessor *
                     costs.problem().processors +
                 1) {
  const double most = period * (1 + kRounding), room = costs.problem().room();
  bytes_.assign((costs.numLayers() + 1) * numDelays_,
                std::numeric_limits<double>::infinity());
  std::fill_n(bytes_.begin(), numDelays_, 0.0);
  for (int64_t end = 1; end <= costs.numLayers(); ++end)
    for (int64_t begin = end - 1; begin >= 0; --begin) {
      const double load = costs.load(begin, end);
      if (load > most) break;
      const double transfer = begin > 0 ? costs.transfer(begin) : 0;
      if (transfer > most) continue;
      const double fixed = costs.fixedBytes(begin, end);
      const double stash = costs.stash(begin, end);
      if (fixed + stash > room) continue;
      for (int64_t i = 0; i < numDelays_; ++i) {
        const double delay =
            delayBefore(part_ * static_cast<double>(i), load, period);
        // Longer delays need more.
        if (fixed + stashesOf(delay, period) * stash > room) break;
        const double cut =
            begin > 0 ? delayBefore(delay, transfer, period) : delay;
        double& least = bytes_[end * numDelays_ + i];
        least = std::min(least,
                         fixed + delay / period * stash + before(begin, cut));
      }
    }
}

int64_t LeastBytes::indexOf(double delay) const {
  return std::min(numDelays_ - 1,
                  static_cast<int64_t>(delay / part_ + kRounding));
}

}  // namespace sbp::search
