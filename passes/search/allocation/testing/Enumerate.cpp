#include "passes/search/allocation/testing/Enumerate.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "passes/search/allocation/LeastPeriod.h"
#include "passes/search/allocation/PatternOperations.h"
#include "passes/search/allocation/StageCosts.h"

namespace sbp::search {
namespace {

class Enumeration {
 public:
  Enumeration(const ChainProblem& problem, const Allocation& allocation)
      : problem_(problem),
        costs_(problem),
        allocation_(allocation),
        operations_(operationsOf(costs_, allocation)) {
    const int64_t count = operations_.numbers.count();
    for (int64_t i = 0; i + 1 < count; ++i)
      constraints_.push_back({i, i + 1, operations_.durations[i], 0});
    for (const std::vector<int64_t>& resource : operations_.resources)
      for (size_t i = 0; i < resource.size(); ++i)
        for (size_t j = i + 1; j < resource.size(); ++j)
          pairs_.emplace_back(resource[i], resource[j]);
  }

  std::optional<Pattern> run() {
    choose(0);
    return std::move(best_);
  }

 private:
  void choose(size_t pair) {
    const std::optional<PeriodicStarts> least = leastPeriod(
        operations_.numbers.count(), constraints_, operations_.busiest());
    if (!least) return;
    if (best_ && least->period >= best_->period * (1 - kRounding)) return;
    if (pair == pairs_.size()) {
      const Pattern pattern = {allocation_, least->period, least->starts};
      if (problem_.verify(pattern).ok()) best_ = pattern;
      return;
    }
    const auto [first, second] = pairs_[pair];
    const auto most = static_cast<int64_t>(allocation_.size());
    for (int64_t integer = 0; integer <= most; ++integer) {
      if (!mayFit(first, second, integer)) return;
      constraints_.push_back(
          {first, second, operations_.durations[first], integer});
      constraints_.push_back(
          {second, first, operations_.durations[second], -integer - 1});
      choose(pair + 1);
      constraints_.resize(constraints_.size() - 2);
    }
  }

  /// Whether a stage fits alone, if `first` and `second` are its forward and
  /// backward, with `integer` + 1 micro-batches in flight.
  bool mayFit(int64_t first, int64_t second, int64_t integer) const {
    for (int64_t stage = 0; stage < operations_.numbers.numStages; ++stage) {
      if (first != operations_.numbers.forward(stage) ||
          second != operations_.numbers.backward(stage))
        continue;
      const auto& [begin, end, processor] = allocation_[stage];
      return costs_.fixedBytes(begin, end) +
                 static_cast<double>(integer + 1) * costs_.stash(begin, end) <=
             problem_.room();
    }
    return true;
  }

  const ChainProblem& problem_;
  StageCosts costs_;
  const Allocation& allocation_;
  PatternOperations operations_;
  std::vector<std::pair<int64_t, int64_t>> pairs_;
  std::vector<PeriodicConstraint> constraints_;
  std::optional<Pattern> best_;
};

}  // namespace

void forEachAllocation(int64_t layers, int64_t processors,
                       const std::function<void(const Allocation&)>& visit) {
  std::vector<int64_t> on;
  std::function<void(int64_t)> extend = [&](int64_t used) {
    if (static_cast<int64_t>(on.size()) == layers) {
      Allocation allocation;
      for (int64_t layer = 0; layer < layers; ++layer) {
        if (layer == 0 || on[layer] != on[layer - 1])
          allocation.push_back({layer, layer, on[layer]});
        ++allocation.back().end;
      }
      visit(allocation);
      return;
    }
    for (int64_t next = 0; next <= std::min(used, processors - 1); ++next) {
      on.push_back(next);
      extend(std::max(used, next + 1));
      on.pop_back();
    }
  };
  extend(0);
}

std::optional<Pattern> enumeratePatterns(const ChainProblem& problem,
                                         const Allocation& allocation) {
  return Enumeration(problem, allocation).run();
}

ChainProblem randomChainProblem(int64_t mostLayers, std::mt19937& random) {
  auto between = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  ChainProblem problem;
  LayerChain& chain = problem.chain;
  const int64_t layers = between(1, mostLayers);
  chain.cuts = {static_cast<double>(between(0, 12))};
  double whole = 2 * chain.cuts[0];
  for (int64_t layer = 0; layer < layers; ++layer) {
    const int64_t forward = between(1, 8);
    chain.forward.push_back(static_cast<double>(forward));
    chain.backward.push_back(static_cast<double>(2 * forward));
    chain.weights.push_back(static_cast<double>(between(0, 6)));
    chain.outputs.push_back(static_cast<double>(between(1, 12)));
    // Other tensors may cross a cut as well.
    chain.cuts.push_back(chain.outputs.back() +
                         (between(0, 3) == 0 ? 4.0 : 0.0));
    whole += 3 * chain.weights.back() + 2 * chain.outputs.back();
  }
  problem.processors = between(1, 3);
  problem.bandwidth = static_cast<double>(between(1, 4));
  problem.memory = whole * static_cast<double>(between(5, 20)) / 10 /
                   static_cast<double>(problem.processors);
  return problem;
}

}  // namespace sbp::search
