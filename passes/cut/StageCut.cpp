#include "passes/cut/StageCut.h"

#include <algorithm>
#include <functional>
#include <limits>

namespace sbp {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// The time and memory of consecutive units under one plan.
class UnitRange {
 public:
  explicit UnitRange(int64_t begin) : begin_(begin) {}

  /// Adds the unit after the last one.
  void add(const UnitPrice& unit) {
    seconds_ += unit.seconds;
    persistent_ += newBytes(unit.persistent);
    weights_ += newBytes(unit.weights);
    activations_ += newBytes(unit.activations);
    transient_ = std::max(transient_, unit.transientBytes);
  }

  double seconds() const { return seconds_; }
  /// Returns the memory of stage `stage`, which has this range up to `end`.
  StageMemory memory(int64_t stage, int64_t end, const StageLoad& load) const {
    return {stage,
            begin_,
            end,
            load.copies * weights_,
            persistent_ - weights_,
            activations_,
            load.inFlight,
            transient_};
  }
  double bytes(const StageLoad& load) const {
    return persistent_ + (load.copies - 1) * weights_ +
           load.inFlight * activations_ + transient_;
  }

 private:
  double newBytes(const std::vector<KeptTensor>& tensors) const {
    double bytes = 0;
    for (const KeptTensor& tensor : tensors)
      if (tensor.keptBefore < begin_) bytes += tensor.bytes;
    return bytes;
  }

  int64_t begin_;
  double seconds_ = 0, persistent_ = 0, weights_ = 0, activations_ = 0,
         transient_ = 0;
};

/// A possible stage of a cut, with its time and memory under each plan.
struct StageOption {
  int64_t stage, begin, end;
  const std::vector<UnitRange>& byPlan;
};

/// Returns the cost of an option; infinite if it is not allowed.
using CostOf = std::function<double(const StageOption&)>;
/// Joins the cost of the first stages with that of the next stage into the cost
/// of all of them.
using Join = double (*)(double, double);

double larger(double a, double b) { return std::max(a, b); }
double sum(double a, double b) { return a + b; }

class CutSearch {
 public:
  explicit CutSearch(const UnitChain& chain)
      : chain_(chain),
        numUnits_(chain.numUnits()),
        numStages_(chain.numStages()) {}

  /// Returns the begins of the cut with the least cost, and stores this cost in
  /// `cost`. The cost is infinite if there is no cut.
  std::vector<int64_t> run(const CostOf& costOf, Join join, double& cost) {
    // Tables of dynamic programming: the least cost of cutting the first units
    // into the first stages, and the begin of the last of these stages.
    least_.assign(numStages_ + 1,
                  std::vector<double>(numUnits_ + 1, kInfinite));
    lastBegin_.assign(numStages_ + 1, std::vector<int64_t>(numUnits_ + 1, 0));
    least_[0][0] = 0;
    for (int64_t begin = 0; begin < numUnits_; ++begin)
      extendFrom(begin, costOf, join);
    cost = least_[numStages_][numUnits_];
    std::vector<int64_t> begins(numStages_);
    for (int64_t stage = numStages_, end = numUnits_; stage-- > 0;)
      end = begins[stage] = lastBegin_[stage + 1][end];
    return begins;
  }

  /// Returns the seconds per step under the fastest plan that fits; infinite if
  /// no plan fits.
  double secondsOf(const StageOption& option, double memoryBytes) const {
    double seconds = kInfinite;
    for (const UnitRange& range : option.byPlan)
      if (range.bytes(chain_.loads[option.stage]) <= memoryBytes)
        seconds = std::min(seconds, range.seconds());
    return seconds + transferBefore(option) + transferAfter(option);
  }

  double transferAfter(const StageOption& option) const {
    bool isLast = option.stage == numStages_ - 1;
    return isLast ? 0 : chain_.transfers[option.stage][option.end];
  }

  double leastBytesOf(const StageOption& option) const {
    double bytes = kInfinite;
    for (const UnitRange& range : option.byPlan)
      bytes = std::min(bytes, range.bytes(chain_.loads[option.stage]));
    return bytes;
  }

 private:
  double transferBefore(const StageOption& option) const {
    return option.stage == 0 ? 0
                             : chain_.transfers[option.stage - 1][option.begin];
  }

  /// Tries all stages that begin with the unit `begin`. The best cuts of the
  /// units before `begin` must be known.
  void extendFrom(int64_t begin, const CostOf& costOf, Join join) {
    std::vector<UnitRange> byPlan(chain_.plans.size(), UnitRange(begin));
    for (int64_t end = begin + 1; end <= numUnits_; ++end) {
      for (size_t plan = 0; plan < byPlan.size(); ++plan)
        byPlan[plan].add(chain_.plans[plan][end - 1]);
      for (int64_t stage = 0; stage < numStages_; ++stage) {
        bool isLast = stage == numStages_ - 1;
        if (least_[stage][begin] == kInfinite || isLast != (end == numUnits_))
          continue;
        double cost =
            join(least_[stage][begin], costOf({stage, begin, end, byPlan}));
        if (cost >= least_[stage + 1][end]) continue;
        least_[stage + 1][end] = cost;
        lastBegin_[stage + 1][end] = begin;
      }
    }
  }

  const UnitChain& chain_;
  int64_t numUnits_, numStages_;
  std::vector<std::vector<double>> least_;  // by number of stages and units
  std::vector<std::vector<int64_t>> lastBegin_;
};

}  // namespace

std::optional<StageCut> cheapestCut(const UnitChain& chain,
                                    double memoryBytes) {
  CutSearch search(chain);
  double period = kInfinite;
  search.run(
      [&](const StageOption& option) {
        return search.secondsOf(option, memoryBytes);
      },
      larger, period);
  if (period == kInfinite) return std::nullopt;
  // Of the cuts that are as fast, take one whose transfers take least.
  double transfers = kInfinite;
  std::vector<int64_t> begins = search.run(
      [&](const StageOption& option) {
        return search.secondsOf(option, memoryBytes) <= period
                   ? search.transferAfter(option)
                   : kInfinite;
      },
      sum, transfers);
  return StageCut{begins, period};
}

StageMemory leastMemory(const UnitChain& chain) {
  CutSearch search(chain);
  double bytes = kInfinite;
  const std::vector<int64_t> begins = search.run(
      [&](const StageOption& option) { return search.leastBytesOf(option); },
      larger, bytes);
  StageMemory largest;
  for (int64_t stage = 0; stage < chain.numStages(); ++stage) {
    const bool isLast = stage + 1 == chain.numStages();
    const int64_t end = isLast ? chain.numUnits() : begins[stage + 1];
    std::optional<StageMemory> smallest;
    for (const std::vector<UnitPrice>& plan : chain.plans) {
      UnitRange range(begins[stage]);
      for (int64_t unit = begins[stage]; unit < end; ++unit)
        range.add(plan[unit]);
      const StageMemory memory = range.memory(stage, end, chain.loads[stage]);
      if (!smallest || memory.bytes() < smallest->bytes()) smallest = memory;
    }
    if (stage == 0 || smallest->bytes() > largest.bytes()) largest = *smallest;
  }
  return largest;
}

}  // namespace sbp
