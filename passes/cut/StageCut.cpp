#include "passes/cut/StageCut.h"

#include <algorithm>
#include <functional>
#include <limits>

namespace sbp {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// What a run of units takes by one plan.
class UnitRun {
 public:
  explicit UnitRun(int64_t begin) : begin_(begin) {}

  /// Adds the unit behind the last one.
  void add(const UnitPrice& unit) {
    seconds_ += unit.seconds;
    held_ += newBytes(unit.held);
    weights_ += newBytes(unit.weights);
    stashed_ += newBytes(unit.stashed);
    transient_ = std::max(transient_, unit.transientBytes);
  }

  double seconds() const { return seconds_; }
  double bytes(const StageLoad& load) const {
    return held_ + (load.copies - 1) * weights_ + load.underWay * stashed_ +
           transient_;
  }

 private:
  double newBytes(const std::vector<KeptTensor>& tensors) const {
    double bytes = 0;
    for (const KeptTensor& tensor : tensors)
      if (tensor.keptBefore < begin_) bytes += tensor.bytes;
    return bytes;
  }

  int64_t begin_;
  double seconds_ = 0, held_ = 0, weights_ = 0, stashed_ = 0, transient_ = 0;
};

/// A stage that a cut may have, by each plan.
struct StageOption {
  int64_t stage, begin, end;
  const std::vector<UnitRun>& byPlan;
};

/// What an option costs; infinite if it is not to be had.
using CostOf = std::function<double(const StageOption&)>;
/// The cost of a cut from that of its first stages and that of the next.
using Join = double (*)(double, double);

double larger(double a, double b) { return std::max(a, b); }
double sum(double a, double b) { return a + b; }

class Search {
 public:
  explicit Search(const UnitChain& chain)
      : chain_(chain),
        numUnits_(chain.numUnits()),
        numStages_(chain.numStages()) {}

  /// The cut that costs least, or one that costs infinitely much. Sets `cost`.
  std::vector<int64_t> run(const CostOf& costOf, Join join, double& cost) {
    // Of the first units in the first stages.
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

  /// Seconds of the fastest plan that fits.
  double secondsOf(const StageOption& option, double memoryBytes) const {
    double seconds = kInfinite;
    for (const UnitRun& run : option.byPlan)
      if (run.bytes(chain_.loads[option.stage]) <= memoryBytes)
        seconds = std::min(seconds, run.seconds());
    return seconds + transferBefore(option) + transferBehind(option);
  }

  double transferBehind(const StageOption& option) const {
    bool isLast = option.stage == numStages_ - 1;
    return isLast ? 0 : chain_.transfers[option.stage][option.end];
  }

  double leastBytesOf(const StageOption& option) const {
    double bytes = kInfinite;
    for (const UnitRun& run : option.byPlan)
      bytes = std::min(bytes, run.bytes(chain_.loads[option.stage]));
    return bytes;
  }

 private:
  double transferBefore(const StageOption& option) const {
    return option.stage == 0 ? 0
                             : chain_.transfers[option.stage - 1][option.begin];
  }

  /// Tries all stages that begin with the unit `begin`; all cuts of the units
  /// before it are known.
  void extendFrom(int64_t begin, const CostOf& costOf, Join join) {
    std::vector<UnitRun> byPlan(chain_.plans.size(), UnitRun(begin));
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
  std::vector<std::vector<double>> least_;
  std::vector<std::vector<int64_t>> lastBegin_;
};

}  // namespace

std::optional<StageCut> cheapestCut(const UnitChain& chain,
                                    double memoryBytes) {
  Search search(chain);
  double period = kInfinite;
  search.run(
      [&](const StageOption& option) {
        return search.secondsOf(option, memoryBytes);
      },
      larger, period);
  if (period == kInfinite) return std::nullopt;
  // Of the stages that are no slower, those that send least.
  double transfers = kInfinite;
  std::vector<int64_t> begins = search.run(
      [&](const StageOption& option) {
        return search.secondsOf(option, memoryBytes) <= period
                   ? search.transferBehind(option)
                   : kInfinite;
      },
      sum, transfers);
  return StageCut{begins, period};
}

double leastMemory(const UnitChain& chain) {
  Search search(chain);
  double bytes = kInfinite;
  search.run(
      [&](const StageOption& option) { return search.leastBytesOf(option); },
      larger, bytes);
  return bytes;
}

}  // namespace sbp
