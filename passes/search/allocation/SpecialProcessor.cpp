#include "passes/search/allocation/SpecialProcessor.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "passes/search/allocation/Delay.h"

namespace sbp::search {
namespace {

/// Factor between targets that are tried upwards.
constexpr double kTargetFactor = 1.25;

/// A state, and how it was reached.
struct State {
  double load = 0, bytes = 0;  // of the special processor
  double delay = 0;            // after the layers left
  double busiest = 0;
  // The stage that led here: its end, the number of normal processors left
  // then, and the index of that state.
  int64_t end = 0, normalLeft = 0, from = -1;
  bool isSpecial = false;
};

bool isNoWorse(const State& a, const State& b) {
  return a.load <= b.load && a.bytes <= b.bytes && a.delay <= b.delay &&
         a.busiest <= b.busiest;
}

/// States of which none is no worse than another.
class States {
 public:
  void add(const State& state) {
    for (const State& other : states_)
      if (isNoWorse(other, state)) return;
    // States stay where they are while others refer to them: none does before
    // all have been added.
    states_.erase(std::remove_if(states_.begin(), states_.end(),
                                 [&](const State& other) {
                                   return isNoWorse(state, other);
                                 }),
                  states_.end());
    states_.push_back(state);
  }

  const std::vector<State>& all() const { return states_; }

 private:
  std::vector<State> states_;
};

/// Returns the next point of a grid of `points` points from 0 to `most`.
double roundedUp(double value, double most, int64_t points) {
  if (points == 0 || most == 0) return value;
  const double step = most / static_cast<double>(points - 1);
  return step * std::ceil(value / step - kRounding);
}

class SpecialProcessorSearch {
 public:
  SpecialProcessorSearch(const StageCosts& costs, double target, double limit,
                         const SpecialProcessorGrids& grids)
      : costs_(costs),
        target_(target),
        limit_(limit),
        grids_(grids),
        numLayers_(costs.numLayers()),
        numNormal_(costs.problem().processors - 1),
        mostDelay_(costs.wholeLoad()),
        states_((numLayers_ + 1) * (numNormal_ + 1)) {
    for (int64_t layer = 1; layer < numLayers_; ++layer)
      mostDelay_ += costs.transfer(layer);
  }

  std::optional<SpecialProcessorPlan> search(const SearchRun& run) {
    State first;
    at(numLayers_, numNormal_).add(first);
    for (int64_t end = numLayers_; end > 0; --end)
      for (int64_t left = numNormal_; left >= 0; --left) {
        if (run.isOver()) return std::nullopt;
        for (size_t i = 0; i < at(end, left).all().size(); ++i)
          extend(end, left, static_cast<int64_t>(i));
      }
    const State* best = nullptr;
    int64_t bestLeft = 0;
    for (int64_t left = 0; left <= numNormal_; ++left)
      for (const State& state : at(0, left).all())
        if (!best || state.busiest < best->busiest) {
          best = &state;
          bestLeft = left;
        }
    if (!best) return std::nullopt;
    return SpecialProcessorPlan{allocationOf(*best, bestLeft), best->busiest};
  }

 private:
  States& at(int64_t end, int64_t left) {
    return states_[end * (numNormal_ + 1) + left];
  }

  /// Adds the states with one more stage, whose end is `end`.
  void extend(int64_t end, int64_t left, int64_t index) {
    const State state = at(end, left).all()[index];
    const double room = costs_.problem().room();
    for (int64_t begin = end - 1; begin >= 0; --begin) {
      const double load = costs_.load(begin, end);
      const double transfer = begin > 0 ? costs_.transfer(begin) : 0;
      const double busiest = std::max({state.busiest, load, transfer});
      if (load >= limit_) return;
      if (busiest >= limit_) continue;
      // Without normal processors, all layers are one stage.
      if (left == 0 && begin > 0) continue;
      const double stashes =
          std::ceil((state.delay + load) / target_ - kRounding);
      const double fixed = costs_.fixedBytes(begin, end);
      const double stash = costs_.stash(begin, end);
      State next = state;
      next.end = end;
      next.normalLeft = left;
      next.from = index;
      next.delay =
          roundedUp(delayBefore(delayBefore(state.delay, load, target_),
                                transfer, target_),
                    mostDelay_, grids_.delays);
      next.busiest = busiest;
      if (left > 0 && fixed + stashes * stash <= room) {
        next.isSpecial = false;
        at(begin, left - 1).add(next);
      }
      next.isSpecial = true;
      next.load =
          roundedUp(state.load + load, costs_.wholeLoad(), grids_.loads);
      next.bytes = roundedUp(state.bytes + fixed + (stashes - 1) * stash,
                             costs_.problem().memory, grids_.bytes);
      next.busiest = std::max(busiest, next.load);
      if (next.bytes <= room && next.busiest < limit_)
        at(begin, left).add(next);
    }
  }

  Allocation allocationOf(const State& last, int64_t lastLeft) {
    Allocation allocation;
    const State* state = &last;
    int64_t begin = 0, left = lastLeft, normal = 0;
    while (state->from >= 0) {
      const int64_t processor = state->isSpecial ? numNormal_ : normal++;
      if (!allocation.empty() && allocation.back().processor == processor)
        allocation.back().end = state->end;
      else
        allocation.push_back({begin, state->end, processor});
      begin = state->end;
      left = state->normalLeft;
      state = &at(begin, left).all()[state->from];
    }
    return allocation;
  }

  const StageCosts& costs_;
  double target_, limit_;
  const SpecialProcessorGrids& grids_;
  int64_t numLayers_, numNormal_;
  double mostDelay_;
  std::vector<States> states_;  // by layers left, normal processors left
};

}  // namespace

std::optional<SpecialProcessorPlan> specialProcessorAt(
    const StageCosts& costs, double target, double limit,
    const SpecialProcessorGrids& grids, const SearchRun& run) {
  return SpecialProcessorSearch(costs, target, limit, grids).search(run);
}

std::optional<SpecialProcessorPlan> bestSpecialProcessor(
    const StageCosts& costs, const SpecialProcessorGrids& grids, double first,
    const SearchRun& run) {
  std::optional<SpecialProcessorPlan> best;
  auto isAttained = [&](double target, double limit) {
    std::optional<SpecialProcessorPlan> found =
        specialProcessorAt(costs, target, limit * (1 + kRounding), grids, run);
    if (!found) return false;
    best = {std::move(found->allocation), std::max(found->period, target)};
    return true;
  };
  double low =
      costs.wholeLoad() / static_cast<double>(costs.problem().processors);
  double longest = costs.wholeLoad();
  for (int64_t layer = 1; layer < costs.numLayers(); ++layer)
    longest += costs.transfer(layer);
  double high = std::min(first, longest);
  while (!isAttained(high, high)) {
    if (high >= longest || run.isOver()) return std::nullopt;
    low = high;
    high = std::min(longest, high * kTargetFactor);
  }
  for (int64_t i = 0; i < grids.iterations && !run.isOver(); ++i) {
    const double target = (low + high) / 2;
    (isAttained(target, target) ? high : low) = target;
  }
  // A plan for a target that is not attained may be a little better.
  isAttained(low, high);
  return best;
}

}  // namespace sbp::search
