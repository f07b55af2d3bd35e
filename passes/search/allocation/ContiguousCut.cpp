#include "passes/search/allocation/ContiguousCut.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "passes/search/allocation/Delay.h"
#include "passes/search/allocation/DescendPeriods.h"

namespace sbp::search {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

/// Returns the allocation of stages that begin at the given layers.
Allocation allocationOf(const std::vector<int64_t>& begins, int64_t numLayers) {
  Allocation allocation;
  for (size_t i = 0; i < begins.size(); ++i)
    allocation.push_back({begins[i],
                          i + 1 < begins.size() ? begins[i + 1] : numLayers,
                          static_cast<int64_t>(i)});
  return allocation;
}

/// Returns the least delays of the stages of a contiguous allocation at
/// `period`, by stage; empty if these take too long or too much memory.
std::vector<double> delaysOf(const StageCosts& costs,
                             const Allocation& allocation, double period) {
  const double most = period * (1 + kRounding);
  std::vector<double> delays(allocation.size());
  double after = 0;
  for (size_t stage = allocation.size(); stage-- > 0;) {
    const auto& [begin, end, processor] = allocation[stage];
    const double load = costs.load(begin, end);
    if (load > most) return {};
    delays[stage] = delayBefore(after, load, period);
    if (costs.fixedBytes(begin, end) +
            stashesOf(delays[stage], period) * costs.stash(begin, end) >
        costs.problem().room())
      return {};
    if (stage == 0) break;
    const double transfer = costs.transfer(begin);
    if (transfer > most) return {};
    after = delayBefore(delays[stage], transfer, period);
  }
  return delays;
}

/// Returns 1F1B* at a period for which delaysOf() has found `delays`.
Pattern patternOf(const StageCosts& costs, const Allocation& allocation,
                  double period, const std::vector<double>& delays) {
  const OperationNumbers numbers = {static_cast<int64_t>(allocation.size())};
  Pattern pattern = {allocation, period, std::vector<double>(numbers.count())};
  double time = 0;
  for (int64_t stage = 0; stage < numbers.numStages; ++stage) {
    const auto& [begin, end, processor] = allocation[stage];
    pattern.starts[numbers.forward(stage)] = time;
    pattern.starts[numbers.backward(stage)] =
        time + delays[stage] - costs.backward(begin, end);
    time += costs.forward(begin, end);
    if (stage + 1 == numbers.numStages) break;
    const double transfer = costs.transfer(end);
    const double delay = delayBefore(delays[stage + 1], transfer, period);
    pattern.starts[numbers.sendForward(stage)] = time;
    pattern.starts[numbers.sendBackward(stage)] = time + delay - transfer / 2;
    time += transfer / 2;
  }
  return pattern;
}

/// Finds contiguous allocations at given periods.
class ContiguousSearch {
 public:
  explicit ContiguousSearch(const StageCosts& costs)
      : costs_(costs),
        numLayers_(costs.numLayers()),
        mostStages_(std::min(costs.problem().processors, numLayers_)) {}

  /// Returns an allocation that is valid at `period`; nullopt if there is none.
  std::optional<Allocation> at(double period) {
    const double most = period * (1 + kRounding);
    // By number of stages, and first layer of these.
    std::vector<std::vector<double>> delays(
        mostStages_ + 1, std::vector<double>(numLayers_ + 1, kNever));
    std::vector<std::vector<int64_t>> ends(
        mostStages_ + 1, std::vector<int64_t>(numLayers_ + 1, -1));
    delays[0][numLayers_] = 0;
    for (int64_t used = 0; used < mostStages_; ++used)
      for (int64_t end = numLayers_; end > 0; --end) {
        if (delays[used][end] == kNever) continue;
        for (int64_t begin = end - 1; begin >= 0; --begin) {
          const double load = costs_.load(begin, end);
          if (load > most) break;
          double delay = delayBefore(delays[used][end], load, period);
          const double bytes =
              costs_.fixedBytes(begin, end) +
              stashesOf(delay, period) * costs_.stash(begin, end);
          if (bytes > costs_.problem().room()) continue;
          if (begin > 0) {
            if (costs_.transfer(begin) > most) continue;
            delay = delayBefore(delay, costs_.transfer(begin), period);
          }
          if (delay >= delays[used + 1][begin]) continue;
          delays[used + 1][begin] = delay;
          ends[used + 1][begin] = end;
        }
      }
    for (int64_t used = 1; used <= mostStages_; ++used) {
      if (delays[used][0] == kNever) continue;
      std::vector<int64_t> begins;
      int64_t begin = 0;
      for (int64_t left = used; left > 0; --left) {
        begins.push_back(begin);
        begin = ends[left][begin];
      }
      return allocationOf(begins, numLayers_);
    }
    return std::nullopt;
  }

 private:
  const StageCosts& costs_;
  int64_t numLayers_, mostStages_;
};

}  // namespace

double busiestOf(const StageCosts& costs, const Allocation& allocation) {
  double most = 0;
  for (const auto& [begin, end, processor] : allocation) {
    most = std::max(most, costs.load(begin, end));
    if (begin > 0) most = std::max(most, costs.transfer(begin));
  }
  return most;
}

std::optional<Pattern> bestOneForwardOneBackward(const StageCosts& costs,
                                                 const Allocation& allocation) {
  // Whether stages and cuts share a group changes only where a period is the
  // sum of neighbouring ones.
  std::vector<double> times;
  for (const auto& [begin, end, processor] : allocation) {
    if (begin > 0) times.push_back(costs.transfer(begin));
    times.push_back(costs.load(begin, end));
  }
  std::vector<double> periods;
  for (size_t first = 0; first < times.size(); ++first) {
    double sum = 0;
    for (size_t last = first; last < times.size(); ++last) {
      sum += times[last];
      if (sum > 0) periods.push_back(sum);
    }
  }
  std::sort(periods.begin(), periods.end());
  const auto found =
      std::partition_point(periods.begin(), periods.end(), [&](double period) {
        return delaysOf(costs, allocation, period).empty();
      });
  if (found == periods.end()) return std::nullopt;
  return patternOf(costs, allocation, *found,
                   delaysOf(costs, allocation, *found));
}

std::optional<Pattern> bestContiguous(const StageCosts& costs) {
  ContiguousSearch search(costs);
  std::optional<Pattern> best;
  auto attempt = [&](double period) -> std::optional<double> {
    const std::optional<Allocation> allocation = search.at(period);
    if (!allocation) return std::nullopt;
    best = bestOneForwardOneBackward(costs, *allocation);
    return best->period;
  };
  // At this period a single micro-batch is in flight in any allocation.
  double sequential = costs.wholeLoad();
  for (int64_t layer = 1; layer < costs.numLayers(); ++layer)
    sequential += costs.transfer(layer);
  const std::optional<double> high = attempt(sequential);
  if (!high) return std::nullopt;
  const double low =
      costs.wholeLoad() / static_cast<double>(costs.problem().processors);
  leastPeriodFound(low * (1 - kRounding), *high, attempt);
  return best;
}

std::optional<Allocation> pipeDreamCut(const StageCosts& costs,
                                       InFlight inFlight) {
  const int64_t numLayers = costs.numLayers();
  const int64_t mostStages = std::min(costs.problem().processors, numLayers);
  // The least time of the busiest stage or link of the first `end` layers, by
  // number of stages.
  std::vector<std::vector<double>> busiest(
      mostStages + 1, std::vector<double>(numLayers + 1, kNever));
  std::vector<std::vector<int64_t>> begins(
      mostStages + 1, std::vector<int64_t>(numLayers + 1, -1));
  busiest[0][0] = 0;
  for (int64_t used = 1; used <= mostStages; ++used)
    for (int64_t end = 1; end <= numLayers; ++end)
      for (int64_t begin = end - 1; begin >= 0; --begin) {
        const double load = costs.load(begin, end);
        if (load >= busiest[used][end]) break;
        const double transfer = begin > 0 ? costs.transfer(begin) : 0;
        const double time =
            std::max({busiest[used - 1][begin], transfer, load});
        if (time >= busiest[used][end]) continue;
        if (inFlight == InFlight::kOnePerProcessor &&
            costs.fixedBytes(begin, end) +
                    static_cast<double>(costs.problem().processors) *
                        costs.stash(begin, end) >
                costs.problem().room())
          continue;
        busiest[used][end] = time;
        begins[used][end] = begin;
      }
  int64_t best = 1;
  for (int64_t used = 2; used <= mostStages; ++used)
    if (busiest[used][numLayers] < busiest[best][numLayers]) best = used;
  if (busiest[best][numLayers] == kNever) return std::nullopt;
  std::vector<int64_t> chosen;
  int64_t end = numLayers;
  for (int64_t used = best; used > 0; --used) {
    end = begins[used][end];
    chosen.insert(chosen.begin(), end);
  }
  return allocationOf(chosen, numLayers);
}

}  // namespace sbp::search
