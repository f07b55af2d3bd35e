#include "passes/search/pipeline/MeanBound.h"

#include <algorithm>
#include <limits>

#include "passes/search/pipeline/StageWindows.h"

namespace sbp::search {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// Returns the least multiple of `grid` that is at least `number`.
int64_t alignUp(int64_t number, int64_t grid) {
  return (number + grid - 1) / grid * grid;
}

/// Whether no stage of the table has a backward in halves.
bool isWhole(const FamilyTable& table) {
  for (const std::vector<WorkerStage>& stages : table.workers())
    for (const WorkerStage& stage : stages)
      if (!stage.isWhole) return false;
  return true;
}

}  // namespace

MeanBound::MeanBound(SearchedCase& searched, const FamilyTable& table)
    : searched_(searched),
      table_(table),
      numStages_(table.numStages()),
      numUnits_(searched.problem.numUnits()),
      numSums_(isWhole(table) ? 2 : 1),
      numWorkers_(static_cast<double>(table.workers().size())) {
  for (int64_t stage = 0; stage < numStages_; ++stage) {
    StageTerms& terms = terms_.emplace_back(termsOf(stage));
    for (const TimeWeights& weights : terms.sums)
      terms.sumNumbers.push_back(searched.prices.addWeights(weights));
  }
}

MeanBound::StageTerms MeanBound::termsOf(int64_t stage) const {
  StageTerms terms;
  StageLoad load = {kInfinite, kInfinite, kInfinite};
  double work = 0, updates = 0, most = 0, startLater = 0;
  for (const std::vector<WorkerStage>& stages : table_.workers()) {
    int64_t first = numStages_;
    for (const WorkerStage& each : stages) {
      first = std::min(first, each.stage);
      if (each.stage != stage) continue;
      work += each.microBatches;
      updates += each.updates;
      most = std::max(most, each.microBatches);
      load.inFlight = std::min(load.inFlight, each.load.inFlight);
      load.awaitingWeight =
          std::min(load.awaitingWeight, each.load.awaitingWeight);
      load.versions = std::min(load.versions, each.load.versions);
    }
    if (first > stage && !table_.isPeriodic()) ++startLater;
  }
  terms.load = searched_.prices.addLoad(load);
  terms.onWorker = searched_.prices.addWeights({most, most, most, 0});
  terms.sums.push_back({work + startLater, work, work, updates});
  if (numSums_ > 1)
    terms.sums.push_back(
        {work + startLater, work + startLater, work + startLater, 0});
  return terms;
}

const MeanBound::Rest& MeanBound::restAfter(int64_t stage,
                                            const StageRun& run) const {
  static const Rest* const none = new Rest();
  const std::vector<Rest>& rests = rests_[stage + 1][run.end];
  if (rests.empty()) return *none;
  return rests[run.after == StageRun::kNone ? 0 : run.after];
}

void MeanBound::improve(int64_t stage, const StageRun& run, Rest& rest) const {
  const Rest& later = restAfter(stage, run);
  if (later.empty()) return;
  ++searched_.work.labels;
  const StageTerms& terms = terms_[stage];
  if (searched_.prices.low(run, terms.onWorker, terms.load) >= limit_) return;
  Rest sums(numSums_);
  for (int64_t sum = 0; sum < numSums_; ++sum)
    sums[sum] = later[sum] +
                searched_.prices.low(run, terms.sumNumbers[sum], terms.load);
  if (*std::max_element(sums.begin(), sums.end()) >= limit_ * numWorkers_)
    return;
  if (rest.empty()) rest = sums;
  for (int64_t sum = 0; sum < numSums_; ++sum)
    rest[sum] = std::min(rest[sum], sums[sum]);
}

double MeanBound::prepare(double limit, int64_t grid, bool withFronts) {
  limit_ = limit;
  withFronts_ = withFronts;
  const std::vector<double>& least = searched_.least.all;
  const auto n = static_cast<double>(table_.numMicroBatches());
  const auto numBoundaries =
      static_cast<int64_t>(searched_.boundaries.all.size());
  rests_.assign(numStages_ + 1, std::vector<std::vector<Rest>>(numUnits_ + 1));
  rests_[numStages_][numUnits_] = {Rest(numSums_, 0)};
  const std::vector<StageWindow> windows = stageWindows(
      numStages_, numUnits_, [&](int64_t stage, int64_t begin, int64_t end) {
        return searched_.prices.low({begin, end}, terms_[stage].onWorker,
                                    terms_[stage].load) < limit;
      });
  if (!windows[0].has(0)) return kInfinite;
  for (int64_t stage = numStages_; stage-- > 0;) {
    const bool isFirst = stage == 0, isLast = stage == numStages_ - 1;
    const StageWindow &begins = windows[stage], &ends = windows[stage + 1];
    for (int64_t begin = alignUp(begins.first, grid); begin <= begins.last;
         begin += grid) {
      if (isFirst && begin > 0) break;
      std::vector<Rest>& rests = rests_[stage][begin];
      rests.resize(isFirst ? 1 : numBoundaries);
      for (int64_t end = isLast
                             ? numUnits_
                             : alignUp(std::max(begin + 1, ends.first), grid);
           end <= ends.last; end += grid) {
        if (rests_[stage + 1][end].empty()) continue;
        if (searched_.prices.low({begin, end}, terms_[stage].onWorker,
                                 terms_[stage].load) >= limit)
          break;
        for (int64_t before = searched_.firstBoundary(isFirst);
             before < searched_.endOfBoundaries(isFirst); ++before)
          for (int64_t after = searched_.firstBoundary(isLast);
               after < searched_.endOfBoundaries(isLast); ++after)
            improve(stage, {begin, end, before, after},
                    rests[isFirst ? 0 : before]);
      }
      // The stages before take their least times.
      for (Rest& rest : rests)
        if (!rest.empty() &&
            *std::max_element(rest.begin(), rest.end()) + n * least[begin] >=
                limit * numWorkers_)
          rest.clear();
    }
  }
  if (rests_[0][0].empty()) return kInfinite;
  return meanOf({}, rests_[0][0][0]);
}

double MeanBound::meanOf(const std::vector<PlacedStage>& first,
                         const Rest& rest) const {
  if (rest.empty()) return kInfinite;
  double most = 0;
  for (int64_t sum = 0; sum < numSums_; ++sum) {
    double seconds = rest[sum];
    for (size_t stage = 0; stage < first.size(); ++stage)
      seconds += terms_[stage].sums[sum].of(first[stage].way);
    most = std::max(most, seconds / numWorkers_);
  }
  most = std::max(most, busiest(first));
  return most < limit_ ? most : kInfinite;
}

double MeanBound::busiest(const std::vector<PlacedStage>& first) const {
  double most = 0;
  for (const std::vector<WorkerStage>& stages : table_.workers()) {
    double work = 0;
    for (const WorkerStage& stage : stages) {
      if (stage.stage >= static_cast<int64_t>(first.size())) continue;
      const StageWay& way = first[stage.stage].way;
      work += stage.microBatches * (way.forward + way.input + way.weight) +
              stage.updates * way.once;
    }
    most = std::max(most, work);
  }
  return most;
}

double MeanBound::boundOf(const std::vector<PlacedStage>& first) const {
  return meanOf(first, restAfter(static_cast<int64_t>(first.size()) - 1,
                                 first.back().run));
}

double MeanBound::boundOf(const std::vector<PlacedStage>& first,
                          const StageRun& next) const {
  Rest rest;
  improve(static_cast<int64_t>(first.size()), next, rest);
  return meanOf(first, rest);
}

}  // namespace sbp::search
