#include "passes/search/pipeline/PipeLabels.h"

#include <algorithm>
#include <limits>

#include "llvm/Support/MathExtras.h"
#include "passes/search/pipeline/StageWindows.h"

namespace sbp::search {

using schedule::PipeBound;

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

bool isNoWorse(const PipeBound& label, const PipeBound& other) {
  return label.makespan <= other.makespan && label.backward <= other.backward &&
         label.way <= other.way;
}

}  // namespace

PipeLabels::PipeLabels(SearchedCase& searched, const FamilyTable& table)
    : searched_(searched),
      table_(table),
      numStages_(table.numStages()),
      numUnits_(searched.problem.numUnits()),
      n_(static_cast<double>(table.numMicroBatches())) {
  terms_.resize(numStages_);
  for (const std::vector<WorkerStage>& stages : table.workers()) {
    terms_[stages[0].stage] = termsOf(stages[0]);
    isWhole_ &= stages[0].isWhole;
  }
}

/// Registers the linear functions of a stage's times from which
/// schedule::withStageBefore computes its maxima. Let c and h be the numbers of
/// micro-batches before `input` and in flight. For c < N the sum of both waits
/// is at least 2 R - (c - 1)(F + I), for c = N the larger wait is at least R -
/// (N - 1) F and R - (N - 1) I.
PipeLabels::StageTerms PipeLabels::termsOf(const WorkerStage& stage) {
  RunPricing& prices = searched_.prices;
  StageTerms terms;
  terms.facts = stage;
  terms.load = prices.addLoad(stage.load);
  const double c = std::min(stage.beforeInput, n_);
  const double h = std::min(stage.load.inFlight, n_);
  // If the backward is whole, its halves have the same weight.
  const auto add = [&](double forward, double input, double weight,
                       double once) {
    return prices.addWeights(
        {forward, input, stage.isWhole ? input : weight, once});
  };
  terms.forward = prices.addWeights({1, 0, 0, 0});
  terms.pass = add(1, 1, 0, 0);
  terms.passOnce = add(1, 1, 1, 1);
  terms.inputs = add(n_, n_, n_ - h, 0);
  terms.all = add(n_, n_, n_, stage.updates);
  const double rest = n_ - c + 1;
  if (stage.beforeInput < n_) {
    terms.ways = 2;
    terms.inputsWaiting = {add(rest, rest, n_ - h, 0)};
    terms.allWaiting = {add(rest, rest, n_ - h + 1, stage.updates)};
  } else {
    terms.inputsWaiting = {add(n_, 1, 0, 0), add(1, n_, 0, 0)};
    terms.allWaiting = {add(n_, 1, 1, stage.updates),
                        add(1, n_, n_, stage.updates)};
  }
  return terms;
}

double PipeLabels::delayAfter(const StageRun& run) const {
  return run.after == StageRun::kNone
             ? 0
             : searched_.boundaries.all[run.after].delay;
}

PipeLabels::LeastStage PipeLabels::leastOf(int64_t stage,
                                           const StageRun& run) const {
  const StageTerms& terms = terms_[stage];
  const StageFront* front = nullptr;
  if (withFronts_)
    front = searched_.fronts.exact(
        run, {terms.facts.load, terms.facts.isWhole, true});
  const auto low = [&](int64_t weights) {
    return front ? front->least(searched_.prices.weights(weights))
                 : searched_.prices.low(run, weights, terms.load);
  };
  LeastStage least;
  least.delay = delayAfter(run);
  least.all = low(terms.all);
  if (table_.isPeriodic() || least.all >= limit_) return least;
  least.forward = low(terms.forward);
  least.pass = low(terms.pass);
  least.passOnce = low(terms.passOnce);
  least.inputs = low(terms.inputs);
  if (stage == numStages_ - 1) return least;
  for (int64_t weights : terms.inputsWaiting)
    least.inputsWaiting = std::max(least.inputsWaiting, low(weights));
  for (int64_t weights : terms.allWaiting)
    least.allWaiting = std::max(least.allWaiting, low(weights));
  return least;
}

PipeBound PipeLabels::leastBefore(const PipeBound& later, int64_t stage,
                                  const LeastStage& least) const {
  PipeBound bound;
  bound.makespan = std::max(later.makespan, least.all);
  if (table_.isPeriodic() || bound.makespan >= limit_) return bound;
  const StageTerms& terms = terms_[stage];
  const double way = later.way + 2 * least.delay;
  const double c = std::min(terms.facts.beforeInput, n_);
  bound.way = way + least.pass;
  bound.backward =
      std::max({least.inputs, least.inputsWaiting + terms.ways * way,
                n_ / c * bound.way + (c - 1) / 2 * least.pass,
                later.backward + 2 * least.delay + least.pass});
  bound.makespan =
      std::max({least.all, least.allWaiting + terms.ways * way,
                later.makespan + least.delay + least.forward,
                later.backward + 2 * least.delay + least.passOnce});
  return bound;
}

PipeBound PipeLabels::before(const PipeBound& later, int64_t stage,
                             const PlacedStage& placed) const {
  const WorkerStage& facts = terms_[stage].facts;
  const StageWay& way = placed.way;
  if (table_.isPeriodic()) {
    PipeBound bound;
    bound.makespan =
        std::max(later.makespan, n_ * (way.forward + way.input + way.weight) +
                                     facts.updates * way.once);
    return bound;
  }
  schedule::PipeStage times;
  times.forward = way.forward;
  times.input = way.input;
  times.weight = way.weight;
  times.once = way.once;
  times.message = delayAfter(placed.run);
  times.beforeInput = facts.beforeInput;
  times.inFlight = facts.load.inFlight;
  return withStageBefore(later, times, table_.numMicroBatches());
}

void PipeLabels::addTo(Labels& labels, const PipeBound& label) const {
  for (const PipeBound& known : labels)
    if (isNoWorse(known, label)) return;
  labels.erase(std::remove_if(labels.begin(), labels.end(),
                              [&](const PipeBound& known) {
                                return isNoWorse(label, known);
                              }),
               labels.end());
  if (static_cast<int64_t>(labels.size()) < searched_.tuning.maxLabels) {
    labels.push_back(label);
    return;
  }
  PipeBound& last = labels.back();
  last.makespan = std::min(last.makespan, label.makespan);
  last.backward = std::min(last.backward, label.backward);
  last.way = std::min(last.way, label.way);
}

const PipeLabels::Labels& PipeLabels::labelsAfter(int64_t stage,
                                                  const StageRun& run) const {
  const int64_t boundary = run.after == StageRun::kNone ? 0 : run.after;
  return labels_[stage + 1][run.end][boundary];
}

void PipeLabels::addLabelsOf(int64_t stage, const StageRun& run,
                             Labels& labels) {
  const Labels& after = labelsAfter(stage, run);
  if (after.empty()) return;
  const LeastStage least = leastOf(stage, run);
  if (least.all >= limit_) return;
  // In the first step, the stages before take their least forwards.
  const double head =
      table_.isPeriodic() ? 0 : searched_.least.forward[run.begin];
  for (const PipeBound& later : after) {
    ++searched_.work.labels;
    const PipeBound label = leastBefore(later, stage, least);
    if (std::max(label.makespan, label.backward) + head < limit_)
      addTo(labels, label);
  }
}

/// Whether units begin, ..., end - 1 can be a stage below the limit, if all
/// other units take their least times. The bounds are those of leastBefore.
/// They fall if the stage gives a unit to another, which then takes it once or
/// twice.
bool PipeLabels::canBe(int64_t stage, int64_t begin, int64_t end) const {
  const StageTerms& terms = terms_[stage];
  const StageRun run = {begin, end};
  const auto low = [&](int64_t weights) {
    return searched_.prices.low(run, weights, terms.load);
  };
  if (low(terms.all) >= limit_) return false;
  if (table_.isPeriodic()) return true;
  // All stages before pass the first micro-batch on, and the last one back.
  const std::vector<double>& least =
      isWhole_ ? searched_.least.all : searched_.least.pass;
  const double tail = low(terms.inputs) + least[begin];
  if (tail >= limit_) return false;
  const double way = least.back() - least[end];
  for (int64_t weights : terms.inputsWaiting)
    if (low(weights) + terms.ways * way + least[begin] >= limit_) return false;
  return true;
}

double PipeLabels::prepare(double limit, int64_t grid, bool withFronts) {
  limit_ = limit;
  withFronts_ = withFronts;
  const auto numBoundaries =
      static_cast<int64_t>(searched_.boundaries.all.size());
  const std::vector<StageWindow> windows = stageWindows(
      numStages_, numUnits_, [&](int64_t stage, int64_t begin, int64_t end) {
        return canBe(stage, begin, end);
      });
  if (!windows[0].has(0)) return kInfinite;
  labels_.assign(numStages_ + 1,
                 std::vector<std::vector<Labels>>(numUnits_ + 1));
  labels_[numStages_][numUnits_] = {{PipeBound()}};
  for (int64_t stage = numStages_; stage-- > 0;) {
    const bool isFirst = stage == 0, isLast = stage == numStages_ - 1;
    const StageWindow &begins = windows[stage], &ends = windows[stage + 1];
    for (int64_t begin = llvm::alignTo(begins.first, grid);
         begin <= begins.last; begin += grid) {
      if (isFirst && begin > 0) break;
      labels_[stage][begin].resize(isFirst ? 1 : numBoundaries);
      for (int64_t end =
               isLast ? numUnits_
                      : llvm::alignTo(std::max(begin + 1, ends.first), grid);
           end <= ends.last; end += grid) {
        if (labels_[stage + 1][end].empty()) continue;
        if (!canBe(stage, begin, end)) break;
        for (int64_t before = searched_.firstBoundary(isFirst);
             before < searched_.endOfBoundaries(isFirst); ++before)
          for (int64_t after = searched_.firstBoundary(isLast);
               after < searched_.endOfBoundaries(isLast); ++after)
            addLabelsOf(stage, {begin, end, before, after},
                        labels_[stage][begin][isFirst ? 0 : before]);
      }
    }
  }
  double bound = kInfinite;
  if (labels_[0][0].empty()) return bound;
  for (const PipeBound& label : labels_[0][0][0])
    bound = std::min(bound, label.makespan);
  return bound;
}

double PipeLabels::least(const Labels& labels,
                         const std::vector<PlacedStage>& first) const {
  double least = kInfinite;
  for (const PipeBound& label : labels) {
    PipeBound bound = label;
    for (size_t stage = first.size(); stage-- > 0;)
      bound = before(bound, static_cast<int64_t>(stage), first[stage]);
    least = std::min(least, bound.makespan);
  }
  return least < limit_ ? least : kInfinite;
}

double PipeLabels::boundOf(const std::vector<PlacedStage>& first) const {
  return least(
      labelsAfter(static_cast<int64_t>(first.size()) - 1, first.back().run),
      first);
}

double PipeLabels::boundOf(const std::vector<PlacedStage>& first,
                           const StageRun& next) const {
  const auto stage = static_cast<int64_t>(first.size());
  if (labels_[stage + 1][next.end].empty()) return kInfinite;
  const LeastStage ofNext = leastOf(stage, next);
  Labels labels;
  for (const PipeBound& later : labelsAfter(stage, next))
    labels.push_back(leastBefore(later, stage, ofNext));
  return least(labels, first);
}

}  // namespace sbp::search
