#include "passes/search/allocation/AllocationDescent.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "passes/search/allocation/Delay.h"

namespace sbp::search {
namespace {

/// Energy of an allocation that was not accepted: the search moves away.
constexpr double kRejected = 0.05;

double excess(double need, double limit) {
  return std::max(0.0, need / limit - 1 - kRounding);
}

/// Makes random changes of allocations.
class Moves {
 public:
  Moves(int64_t processors, int64_t maxStages, std::mt19937_64& random)
      : processors_(processors), maxStages_(maxStages), random_(random) {}

  /// Writes a changed copy of `from` to `to`. Returns false if the random
  /// change is none.
  bool change(const Allocation& from, Allocation& to) {
    to = from;
    const auto numStages = static_cast<int64_t>(from.size());
    const int64_t stage = below(numStages);
    switch (below(6)) {
      case 0:
      case 1:
        if (numStages < 2 || !shift(to, below(numStages - 1))) return false;
        break;
      case 2:
        to[stage].processor = below(processors_);
        break;
      case 3:
        if (!carve(to, stage)) return false;
        break;
      case 4: {
        if (numStages < 2) return false;
        const int64_t left = below(numStages - 1);
        const bool isLeft = below(2) == 0;
        to[left + !isLeft].processor = to[left + isLeft].processor;
        break;
      }
      case 5:
        std::swap(to[stage].processor, to[below(numStages)].processor);
        break;
    }
    mergeNeighbours(to);
    return static_cast<int64_t>(to.size()) <= maxStages_;
  }

  double fraction() {
    return std::uniform_real_distribution<double>(0, 1)(random_);
  }

 private:
  int64_t below(int64_t end) {
    return static_cast<int64_t>(random_() % static_cast<uint64_t>(end));
  }

  /// Moves the boundary after stage `left` by a few layers.
  bool shift(Allocation& allocation, int64_t left) {
    AllocatedStage& before = allocation[left];
    AllocatedStage& after = allocation[left + 1];
    // Small steps are more frequent.
    const int64_t range = int64_t{1} << below(4);
    const int64_t step = 1 + below(range);
    const int64_t end = before.end + (below(2) == 0 ? step : -step);
    if (end <= before.begin || end >= after.end) return false;
    before.end = after.begin = end;
    return true;
  }

  /// Gives some layers of a stage to another processor.
  bool carve(Allocation& allocation, int64_t stage) {
    const AllocatedStage whole = allocation[stage];
    const int64_t size = whole.end - whole.begin;
    if (size < 2) return false;
    int64_t begin = whole.begin + below(size), end = whole.begin + below(size);
    if (begin > end) std::swap(begin, end);
    // A third of the parts begin, or end, where the stage does.
    const int64_t side = below(3);
    if (side == 0) begin = whole.begin;
    if (side == 1) end = whole.end;
    if (begin == end) return false;
    std::vector<AllocatedStage> parts;
    if (begin > whole.begin)
      parts.push_back({whole.begin, begin, whole.processor});
    parts.push_back({begin, end, below(processors_)});
    if (end < whole.end) parts.push_back({end, whole.end, whole.processor});
    allocation.erase(allocation.begin() + stage);
    allocation.insert(allocation.begin() + stage, parts.begin(), parts.end());
    return true;
  }

  static void mergeNeighbours(Allocation& allocation) {
    size_t last = 0;
    for (size_t i = 1; i < allocation.size(); ++i) {
      if (allocation[i].processor == allocation[last].processor)
        allocation[last].end = allocation[i].end;
      else
        allocation[++last] = allocation[i];
    }
    allocation.resize(last + 1);
  }

  int64_t processors_, maxStages_;
  std::mt19937_64& random_;
};

}  // namespace

AllocationEnergy::AllocationEnergy(const StageCosts& costs, double period,
                                   double reserve)
    : costs_(costs),
      period_(period),
      reserve_(reserve),
      needs_(costs.problem().processors) {}

double AllocationEnergy::operator()(const Allocation& allocation) {
  for (const AllocatedStage& stage : allocation) needs_[stage.processor] = {};
  links_.clear();
  double delay = 0;
  for (size_t i = allocation.size(); i-- > 0;) {
    const auto& [begin, end, processor] = allocation[i];
    const double load = costs_.load(begin, end);
    const double stash = costs_.stash(begin, end);
    delay = delayBefore(delay, load, period_);
    const double inFlight = stashesOf(delay, period_);
    Needs& needs = needs_[processor];
    needs.load += load;
    needs.fixed += costs_.fixedBytes(begin, end);
    needs.mean += delay / period_ * stash;
    needs.most += inFlight * stash;
    needs.least += (inFlight - 1) * stash;
    needs.largest = std::max(needs.largest, stash);
    ++needs.stages;
    if (i == 0) break;
    const double transfer = costs_.transfer(begin);
    delay = delayBefore(delay, transfer, period_);
    const int64_t other = allocation[i - 1].processor;
    const int64_t low = std::min(processor, other);
    const int64_t high = std::max(processor, other);
    const auto link =
        std::find_if(links_.begin(), links_.end(), [&](const LinkLoad& used) {
          return used.low == low && used.high == high;
        });
    if (link != links_.end())
      link->load += transfer;
    else
      links_.push_back({low, high, transfer});
  }
  double energy = 0;
  for (const AllocatedStage& stage : allocation) {
    Needs& needs = needs_[stage.processor];
    if (needs.stages == 0) continue;
    double bytes = needs.most;
    if (needs.stages > 1) {
      const double least = std::max(needs.mean, needs.least + needs.largest);
      bytes = least + reserve_ * std::max(0.0, needs.most - least);
    }
    energy += excess(needs.load, period_) +
              excess(needs.fixed + bytes, costs_.problem().memory);
    needs.stages = 0;
  }
  for (const LinkLoad& link : links_) energy += excess(link.load, period_);
  return energy;
}

bool descendFrom(Allocation start, AllocationEnergy& energy, int64_t processors,
                 double firstHeat, const AllocationTuning& tuning,
                 std::mt19937_64& random,
                 const std::function<bool(const Allocation&)>& accept) {
  Moves moves(processors, tuning.stagesPerProcessor * processors, random);
  Allocation now = std::move(start), next;
  double nowEnergy = energy(now);
  if (nowEnergy == 0) {
    if (accept(now)) return true;
    nowEnergy = kRejected;
  }
  const double cooling = std::pow(
      tuning.lastHeat / firstHeat,
      1 / static_cast<double>(std::max<int64_t>(1, tuning.movesPerDescent)));
  double heat = firstHeat;
  for (int64_t i = 0; i < tuning.movesPerDescent; ++i, heat *= cooling) {
    if (!moves.change(now, next)) continue;
    double nextEnergy = energy(next);
    const double allowed = nowEnergy - heat * std::log(moves.fraction());
    if (nextEnergy > allowed) continue;
    if (nextEnergy == 0) {
      if (accept(next)) return true;
      nextEnergy = kRejected;
    }
    now.swap(next);
    nowEnergy = nextEnergy;
  }
  return false;
}

}  // namespace sbp::search
