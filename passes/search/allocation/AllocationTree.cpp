#include "passes/search/allocation/AllocationTree.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "passes/search/allocation/Delay.h"
#include "passes/search/allocation/LeastBytes.h"
#include "passes/search/allocation/SchedulePattern.h"

namespace sbp::search {
namespace {

/// Number of nodes of this tree that take the time of a node of the scheduler.
constexpr int64_t kWorkOfPattern = 100;

/// Needs of the stages that a processor has been given.
struct Needs {
  double load = 0, fixed = 0;
  double mean = 0, least = 0, largest = 0;  // bytes of stashes

  double bytes() const { return fixed + std::max(mean, least + largest); }
};

class AllocationTree {
 public:
  AllocationTree(const StageCosts& costs, double high,
                 const AllocationTreeLimits& limits, const SearchRun& run)
      : costs_(costs),
        limits_(limits),
        run_(run),
        processors_(costs.problem().processors),
        nodesLeft_(limits.nodes),
        needs_(processors_),
        links_(processors_ * processors_) {
    beat(high);
  }

  AllocationTreeAnswer search() {
    // Delays are those of the period to beat, so a better pattern begins a new
    // search.
    do {
      isBeaten_ = false;
      answer_.isComplete = true;
      extend(costs_.numLayers(), 0, -1, 0);
    } while (isBeaten_);
    return std::move(answer_);
  }

 private:
  void beat(double period) {
    period_ = period * (1 - 2 * kRounding);
    mostTime_ = period_ * (1 + kRounding);
    restBytes_.emplace(costs_, period_);
  }

  /// Decides on the layers before `end`. `delay` is that of the cut there,
  /// `next` the processor after the cut, and `used` the number of processors
  /// with stages.
  void extend(int64_t end, double delay, int64_t next, int64_t used) {
    if (end == 0) {
      schedule();
      return;
    }
    for (int64_t begin = end - 1; begin >= 0; --begin) {
      const double load = costs_.load(begin, end);
      if (load > mostTime_) return;
      if (begin > 0 && costs_.transfer(begin) > mostTime_) continue;
      for (int64_t processor = 0; processor <= std::min(used, processors_ - 1);
           ++processor) {
        if (processor == next) continue;
        if (nodesLeft_-- <= 0 || ((nodesLeft_ & 1023) == 0 && run_.isOver())) {
          answer_.isComplete = false;
          nodesLeft_ = 0;
          return;
        }
        give(begin, end, processor, delay, next, used);
        if (isBeaten_) return;
      }
    }
  }

  void give(int64_t begin, int64_t end, int64_t processor, double delay,
            int64_t next, int64_t used) {
    const Needs needsBefore = needs_[processor];
    Needs& needs = needs_[processor];
    const double ofStage = delayBefore(delay, costs_.load(begin, end), period_);
    const double ofCut =
        begin > 0 ? delayBefore(ofStage, costs_.transfer(begin), period_)
                  : ofStage;
    const double stash = costs_.stash(begin, end);
    needs.load += costs_.load(begin, end);
    needs.fixed += costs_.fixedBytes(begin, end);
    needs.mean += ofStage / period_ * stash;
    needs.least += (stashesOf(ofStage, period_) - 1) * stash;
    needs.largest = std::max(needs.largest, stash);
    const double transfer = next >= 0 ? costs_.transfer(end) : 0;
    double* link = next >= 0 ? &links_[std::min(processor, next) * processors_ +
                                       std::max(processor, next)]
                             : nullptr;
    if (link) *link += transfer;
    if (needs.load <= mostTime_ && needs.bytes() <= costs_.problem().room() &&
        (!link || *link <= mostTime_) && isRoomFor(begin, ofCut)) {
      stages_.push_back({begin, end, processor});
      extend(begin, ofCut, processor, std::max(used, processor + 1));
      stages_.pop_back();
    }
    if (link) *link -= transfer;
    needs_[processor] = needsBefore;
  }

  /// Whether the layers before `begin`, whose delays are at least `delay`, may
  /// still fit.
  bool isRoomFor(int64_t begin, double delay) const {
    if (begin == 0) return true;
    const double room = costs_.problem().room();
    double time = 0, bytes = 0, meanBytes = 0;
    for (const Needs& needs : needs_) {
      time += mostTime_ - needs.load;
      bytes += room - needs.bytes();
      meanBytes += room - needs.fixed - needs.mean;
    }
    const double fixed = costs_.fixedBytes(0, begin);
    const double stash = costs_.leastStash(begin);
    return costs_.load(0, begin) <= time &&
           fixed + (stashesOf(delay, period_) - 1) * stash <= bytes &&
           restBytes_->before(begin, delay) <= meanBytes;
  }

  void schedule() {
    const Allocation allocation(stages_.rbegin(), stages_.rend());
    const ScheduledAllocation found =
        schedulePattern(costs_, allocation, period_, limits_.nodesPerPattern);
    nodesLeft_ -= kWorkOfPattern * found.nodes;
    const double period = found.pattern ? found.pattern->period : period_;
    if (found.bound < period * (1 - 4 * kRounding)) answer_.isComplete = false;
    if (!found.pattern) return;
    answer_.pattern = found.pattern;
    beat(period);
    isBeaten_ = true;
  }

  const StageCosts& costs_;
  AllocationTreeLimits limits_;
  const SearchRun& run_;
  int64_t processors_;
  double period_ = 0, mostTime_ = 0;
  int64_t nodesLeft_;
  bool isBeaten_ = false;
  std::optional<LeastBytes> restBytes_;
  std::vector<Needs> needs_;            // by processor
  std::vector<double> links_;           // milliseconds, by pair of processors
  std::vector<AllocatedStage> stages_;  // the last one first
  AllocationTreeAnswer answer_;
};

}  // namespace

AllocationTreeAnswer searchAllAllocations(const StageCosts& costs, double high,
                                          const AllocationTreeLimits& limits,
                                          const SearchRun& run) {
  return AllocationTree(costs, high, limits, run).search();
}

}  // namespace sbp::search
