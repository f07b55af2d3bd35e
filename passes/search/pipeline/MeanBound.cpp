#include "passes/search/pipeline/MeanBound.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "llvm/Support/MathExtras.h"
#include "passes/search/pipeline/StageWindows.h"

namespace sbp::search {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

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
      numWorkers_(static_cast<double>(table.workers().size())) {
  sums_.emplace_back();
  if (isWhole(table)) sums_.emplace_back().hasWayBack = true;
  sums_.emplace_back();
  for (int64_t stage = 0; stage < numStages_; ++stage)
    terms_.push_back(termsOf(stage));
  sums_.back().pricePerByte = bestPricePerByte();
  sums_.back().offset =
      -sums_.back().pricePerByte * numWorkers_ * searched.problem.memory;
  for (Sum& sum : sums_) {
    sum.least.push_back(0);
    for (int64_t unit = 0; unit < numUnits_; ++unit)
      sum.least.push_back(sum.least.back() + leastOfUnit(unit, sum));
  }
}

MeanBound::StageTerms MeanBound::termsOf(int64_t stage) const {
  StageTerms terms;
  StageLoad& least = terms.leastLoad;
  StageLoad& mean = terms.meanLoad;
  least = {kInfinite, kInfinite, kInfinite};
  mean = {0, 0, 0};
  double updates = 0, most = 0, startLater = 0;
  for (const std::vector<WorkerStage>& stages : table_.workers()) {
    int64_t first = numStages_;
    for (const WorkerStage& each : stages) {
      first = std::min(first, each.stage);
      if (each.stage != stage) continue;
      const StageLoad& load = each.load;
      ++terms.numWorkers;
      terms.microBatches += each.microBatches;
      updates += each.updates;
      most = std::max(most, each.microBatches);
      least.inFlight = std::min(least.inFlight, load.inFlight);
      least.awaitingWeight =
          std::min(least.awaitingWeight, load.awaitingWeight);
      least.versions = std::min(least.versions, load.versions);
      mean.inFlight += load.inFlight;
      mean.awaitingWeight += load.awaitingWeight;
      mean.versions += load.versions;
    }
    if (first > stage && !table_.isPeriodic()) ++startLater;
  }
  mean.inFlight /= terms.numWorkers;
  mean.awaitingWeight /= terms.numWorkers;
  mean.versions /= terms.numWorkers;
  RunPricing& prices = searched_.prices;
  terms.leastLoadNumber = prices.addLoad(least);
  terms.meanLoadNumber = prices.addLoad(mean);
  terms.onWorker = prices.addWeights({most, most, most, 0});
  const double work = terms.microBatches, longer = work + startLater;
  for (const Sum& sum : sums_) {
    terms.weights.push_back(sum.hasWayBack
                                ? TimeWeights{longer, longer, longer, 0}
                                : TimeWeights{longer, work, work, updates});
    terms.numbers.push_back(prices.addWeights(terms.weights.back()));
  }
  return terms;
}

/// Returns the least that a unit adds to a sum in any stage, without waits.
double MeanBound::leastOfUnit(int64_t unit, const Sum& sum) const {
  double least = kInfinite;
  const auto index = static_cast<size_t>(&sum - sums_.data());
  for (const UnitOption& option :
       searched_.problem.optionsOf(searched_.ofCase, unit))
    for (const StageTerms& terms : terms_) {
      TimeWeights weights = terms.weights[index];
      least = std::min(
          least, weights.of(option) + sum.pricePerByte * terms.numWorkers *
                                          terms.meanLoad.bytesOf(option));
    }
  return least;
}

/// Returns the price per byte with the largest sum of the units' least terms,
/// whatever the cut. A bound at any price is valid; a good price makes it high.
double MeanBound::bestPricePerByte() const {
  const double fastest = searched_.least.all.back() *
                         static_cast<double>(table_.numMicroBatches());
  if (!(searched_.problem.memory > 0)) return 0;
  const double unit = fastest / (numWorkers_ * searched_.problem.memory);
  double best = 0, most = 0;
  // From far below to far above one second per second of all memory.
  for (int power = -24; power <= 12; ++power) {
    const double pricePerByte = unit * std::exp2(power / 2.0);
    double price = -pricePerByte * numWorkers_ * searched_.problem.memory;
    for (int64_t i = 0; i < numUnits_; ++i) {
      double least = kInfinite;
      const StageTerms& terms = terms_[i * numStages_ / numUnits_];
      for (const UnitOption& option :
           searched_.problem.optionsOf(searched_.ofCase, i))
        least = std::min(least, terms.weights.back().of(option) +
                                    pricePerByte * terms.numWorkers *
                                        terms.meanLoad.bytesOf(option));
      price += least;
    }
    if (price > most) {
      most = price;
      best = pricePerByte;
    }
  }
  return best;
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
  RunPricing& prices = searched_.prices;
  if (prices.low(run, terms.onWorker, terms.leastLoadNumber) >= limit_) return;
  Rest next(sums_.size());
  for (size_t i = 0; i < sums_.size(); ++i) {
    const double price = sums_[i].pricePerByte;
    next[i] =
        later[i] +
        (price > 0 ? prices.lowAt(run, terms.numbers[i], terms.meanLoadNumber,
                                  price * terms.numWorkers)
                   : prices.low(run, terms.numbers[i], terms.leastLoadNumber));
    // The stages before take their least times.
    if (next[i] + sums_[i].least[run.begin] >= limit_ * numWorkers_) return;
  }
  if (rest.empty()) rest = next;
  for (size_t i = 0; i < sums_.size(); ++i)
    rest[i] = std::min(rest[i], next[i]);
}

bool MeanBound::isByStages() const {
  return numStages_ <= 2 || numUnits_ <= searched_.tuning.maxMeanUnits;
}

double MeanBound::prepare(double limit, int64_t grid, bool withFronts) {
  limit_ = limit;
  withFronts_ = withFronts;
  const auto numBoundaries =
      static_cast<int64_t>(searched_.boundaries.all.size());
  const std::vector<StageWindow> windows = stageWindows(
      numStages_, numUnits_, [&](int64_t stage, int64_t begin, int64_t end) {
        return searched_.prices.low({begin, end}, terms_[stage].onWorker,
                                    terms_[stage].leastLoadNumber) < limit;
      });
  if (!windows[0].has(0)) return kInfinite;
  if (!isByStages()) {
    double most = 0;
    for (const Sum& sum : sums_)
      most = std::max(most, (sum.least.back() + sum.offset) / numWorkers_);
    return most < limit ? most : kInfinite;
  }
  rests_.assign(numStages_ + 1, std::vector<std::vector<Rest>>(numUnits_ + 1));
  rests_[numStages_][numUnits_] = {Rest()};
  for (const Sum& sum : sums_)
    rests_[numStages_][numUnits_][0].push_back(sum.offset);
  for (int64_t stage = numStages_; stage-- > 0;) {
    const bool isFirst = stage == 0, isLast = stage == numStages_ - 1;
    const StageWindow &begins = windows[stage], &ends = windows[stage + 1];
    for (int64_t begin = llvm::alignTo(begins.first, grid);
         begin <= begins.last; begin += grid) {
      if (isFirst && begin > 0) break;
      std::vector<Rest>& rests = rests_[stage][begin];
      rests.resize(isFirst ? 1 : numBoundaries);
      for (int64_t end =
               isLast ? numUnits_
                      : llvm::alignTo(std::max(begin + 1, ends.first), grid);
           end <= ends.last; end += grid) {
        if (rests_[stage + 1][end].empty()) continue;
        if (searched_.prices.low({begin, end}, terms_[stage].onWorker,
                                 terms_[stage].leastLoadNumber) >= limit)
          break;
        for (int64_t before = searched_.firstBoundary(isFirst);
             before < searched_.endOfBoundaries(isFirst); ++before)
          for (int64_t after = searched_.firstBoundary(isLast);
               after < searched_.endOfBoundaries(isLast); ++after)
            improve(stage, {begin, end, before, after},
                    rests[isFirst ? 0 : before]);
      }
    }
  }
  if (rests_[0][0].empty()) return kInfinite;
  return meanOf({}, rests_[0][0][0]);
}

double MeanBound::meanOf(const std::vector<PlacedStage>& first,
                         const Rest& rest) const {
  if (rest.empty()) return kInfinite;
  double most = 0;
  for (size_t i = 0; i < sums_.size(); ++i) {
    double seconds = rest[i];
    for (size_t stage = 0; stage < first.size(); ++stage) {
      const StageTerms& terms = terms_[stage];
      const StageWay& way = first[stage].way;
      seconds += terms.weights[i].of(way) +
                 sums_[i].pricePerByte * terms.numWorkers * way.bytes;
    }
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
