#include "passes/search/pipeline/CutDescent.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace sbp::search {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

class CutDescent {
 public:
  CutDescent(SearchedCase& searched, int64_t family, const FamilyTable& table,
             Incumbent& incumbent)
      : searched_(searched),
        family_(family),
        table_(table),
        incumbent_(incumbent),
        numStages_(table.numStages()),
        numUnits_(searched.problem.numUnits()),
        kinds_(table.numStages()),
        microBatches_(static_cast<double>(table.numMicroBatches())) {
    for (const std::vector<WorkerStage>& stages : table.workers())
      for (const WorkerStage& stage : stages) {
        FrontKind& kind = kinds_[stage.stage];
        kind.load.inFlight = std::max(kind.load.inFlight, stage.load.inFlight);
        kind.load.awaitingWeight =
            std::max(kind.load.awaitingWeight, stage.load.awaitingWeight);
        kind.load.versions = std::max(kind.load.versions, stage.load.versions);
        kind.isWhole &= stage.isWhole;
        kind.isAlone = false;
      }
  }

  double run() {
    std::vector<int64_t> ends = evenCut();
    double best = secondsOf(ends);
    if (best > incumbent_.seconds() * (1 + searched_.tuning.mostDescent))
      return best;
    // Boundaries move by half of a stage at first, and by one unit at last.
    for (int64_t step = std::max<int64_t>(1, numUnits_ / numStages_ / 2);
         step > 0; step /= 2)
      for (bool hasImproved = true; hasImproved && !isSpent();) {
        hasImproved = false;
        for (int64_t stage = 0; stage + 1 < numStages_; ++stage)
          for (int64_t move : {step, -step}) {
            std::vector<int64_t> moved = ends;
            moved[stage] += move;
            const int64_t begin = stage ? moved[stage - 1] : 0;
            if (moved[stage] <= begin || moved[stage] >= moved[stage + 1])
              continue;
            const double seconds = secondsOf(moved);
            if (seconds >= best) continue;
            best = seconds;
            ends = std::move(moved);
            hasImproved = true;
          }
      }
    return best;
  }

 private:
  /// Returns a cut in which the stages' least times are about equal.
  std::vector<int64_t> evenCut() const {
    const std::vector<double>& least = searched_.least.all;
    std::vector<int64_t> ends;
    for (int64_t stage = 0; stage < numStages_; ++stage) {
      const double share = least.back() * static_cast<double>(stage + 1) /
                           static_cast<double>(numStages_);
      const int64_t begin = stage ? ends.back() : 0;
      int64_t end = begin + 1;
      while (end < numUnits_ && (least[end] + least[end + 1]) / 2 <= share)
        ++end;
      ends.push_back(std::min(end, numUnits_ - (numStages_ - 1 - stage)));
    }
    ends.back() = numUnits_;
    return ends;
  }

  bool isSpent() const {
    return tables_ >= searched_.tuning.maxTables ||
           tables_ * table_.numTasks() >= searched_.tuning.maxTasks;
  }

  double secondsOf(const std::vector<int64_t>& ends) {
    if (isSpent()) return kInfinite;
    JointPlan plan;
    plan.chosenCase = searched_.index;
    plan.family = family_;
    plan.ends = ends;
    plan.options.resize(numUnits_);
    for (const std::vector<WorkerStage>& stages : table_.workers())
      if (!chooseOptions(stages, plan)) return kInfinite;
    ++tables_;
    return incumbent_.simulate(searched_.problem, table_, std::move(plan),
                               searched_.work);
  }

  double timeOf(const StageWay& way) const {
    return microBatches_ * (way.forward + way.input + way.weight) + way.once;
  }

  /// Returns the ways of a stage, the fastest first, each smaller than the one
  /// before.
  std::vector<StageWay> waysOf(const StageRun& run, int64_t stage,
                               double numStages) {
    std::vector<StageWay> all;
    if (const StageFront* front = searched_.fronts.exact(run, kinds_[stage])) {
      all = front->ways;
    } else {
      for (double part : {0.5, 1.0, 1.5, 2.0}) {
        const double room =
            searched_.problem.memory * std::min(1.0, part / numStages);
        const StageFront& near =
            searched_.fronts.near(run, kinds_[stage], microBatches_, room);
        all.insert(all.end(), near.ways.begin(), near.ways.end());
      }
    }
    std::sort(all.begin(), all.end(),
              [&](const StageWay& a, const StageWay& b) {
                return timeOf(a) < timeOf(b);
              });
    std::vector<StageWay> ways;
    for (StageWay& way : all)
      if (ways.empty() ||
          way.bytes + way.transient < ways.back().bytes + ways.back().transient)
        ways.push_back(std::move(way));
    return ways;
  }

  /// Chooses the options of a worker's stages. Returns false if they do not
  /// fit.
  bool chooseOptions(const std::vector<WorkerStage>& stages, JointPlan& plan) {
    std::vector<std::vector<StageWay>> ways;
    for (const WorkerStage& stage : stages)
      ways.push_back(waysOf({plan.begin(stage.stage), plan.ends[stage.stage]},
                            stage.stage, static_cast<double>(stages.size())));
    std::vector<size_t> chosen(stages.size(), 0);
    for (;;) {
      double bytes = 0, transient = 0;
      for (size_t i = 0; i < stages.size(); ++i) {
        if (ways[i].empty()) return false;
        bytes += ways[i][chosen[i]].bytes;
        transient = std::max(transient, ways[i][chosen[i]].transient);
      }
      if (bytes + transient <= searched_.problem.room()) break;
      double most = 0;
      std::optional<size_t> next;
      for (size_t i = 0; i < stages.size(); ++i) {
        if (chosen[i] + 1 == ways[i].size()) continue;
        const StageWay &now = ways[i][chosen[i]],
                       &smaller = ways[i][chosen[i] + 1];
        const double saved =
            now.bytes + now.transient - smaller.bytes - smaller.transient;
        const double slower = timeOf(smaller) - timeOf(now);
        const double rate = slower > 0 ? saved / slower : kInfinite;
        if (rate <= most) continue;
        most = rate;
        next = i;
      }
      if (!next) return false;
      ++chosen[*next];
    }
    for (size_t i = 0; i < stages.size(); ++i) {
      const std::vector<int64_t>& options = ways[i][chosen[i]].options;
      std::copy(options.begin(), options.end(),
                plan.options.begin() + plan.begin(stages[i].stage));
    }
    return true;
  }

  SearchedCase& searched_;
  int64_t family_;
  const FamilyTable& table_;
  Incumbent& incumbent_;
  int64_t numStages_, numUnits_, tables_ = 0;
  std::vector<FrontKind> kinds_;  // by stage
  double microBatches_;
};

}  // namespace

double descendFromEvenCut(SearchedCase& searched, int64_t family,
                          const FamilyTable& table, Incumbent& incumbent) {
  return CutDescent(searched, family, table, incumbent).run();
}

}  // namespace sbp::search
