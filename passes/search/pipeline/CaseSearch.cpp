#include "passes/search/pipeline/CaseSearch.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

namespace sbp::search {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

}  // namespace

CaseSearch::CaseSearch(SearchedCase& searched, int64_t family,
                       const FamilyTable& table, const SuffixBound& suffix)
    : searched_(searched),
      family_(family),
      table_(table),
      suffix_(suffix),
      kinds_(table.numStages()),
      workerOf_(table.numStages(), -1),
      bestSeconds_(kInfinite) {
  for (size_t worker = 0; worker < table.workers().size(); ++worker)
    for (const WorkerStage& stage : table.workers()[worker]) {
      FrontKind& kind = kinds_[stage.stage];
      if (workerOf_[stage.stage] < 0) {
        workerOf_[stage.stage] = static_cast<int64_t>(worker);
        kind.load = stage.load;
        kind.isWhole = stage.isWhole;
        kind.isAlone = table.isOnePipe();
        continue;
      }
      isUniform_ &= kind.load == stage.load;
      kind.isWhole &= stage.isWhole;
      kind.load.inFlight = std::min(kind.load.inFlight, stage.load.inFlight);
      kind.load.awaitingWeight =
          std::min(kind.load.awaitingWeight, stage.load.awaitingWeight);
      kind.load.versions = std::min(kind.load.versions, stage.load.versions);
    }
}

bool CaseSearch::run(double limit, Incumbent& incumbent) {
  limit_ = std::min(limit, incumbent.seconds());
  incumbent_ = &incumbent;
  nodes_ = tables_ = 0;
  isComplete_ = searched_.boundaries.isExact && isUniform_;
  placed_.clear();
  extend();
  return isComplete_;
}

bool CaseSearch::isSpent() const {
  const JointSearchTuning& tuning = searched_.tuning;
  return nodes_ >= tuning.maxNodes || tables_ >= tuning.maxTables ||
         tables_ * table_.numTasks() >= tuning.maxTasks;
}

void CaseSearch::extend() {
  const auto stage = static_cast<int64_t>(placed_.size());
  if (stage == table_.numStages()) {
    simulate();
    return;
  }
  ++nodes_;
  ++searched_.work.nodes;
  const int64_t begin = stage ? placed_.back().run.end : 0;
  const int64_t before = stage ? placed_.back().run.after : StageRun::kNone;
  const bool isLast = stage == table_.numStages() - 1;
  const int64_t numUnits = searched_.problem.numUnits();
  const int64_t mostUnits = numUnits - (table_.numStages() - 1 - stage);
  std::vector<Child> children;
  for (int64_t end = isLast ? numUnits : begin + 1; end <= mostUnits; ++end)
    for (int64_t after = searched_.firstBoundary(isLast);
         after < searched_.endOfBoundaries(isLast); ++after) {
      const StageRun run = {begin, end, before, after};
      const double bound = suffix_.boundOf(placed_, run);
      if (bound < limit_) children.push_back({bound, imbalanceOf(run), run});
    }
  std::sort(children.begin(), children.end(),
            [](const Child& a, const Child& b) {
              return std::tie(a.bound, a.imbalance, a.run.end, a.run.after) <
                     std::tie(b.bound, b.imbalance, b.run.end, b.run.after);
            });
  for (const Child& child : children) {
    if (child.bound >= limit_) continue;
    if (isSpent()) {
      isComplete_ = false;
      return;
    }
    tryRun(child.run);
  }
}

void CaseSearch::tryRun(const StageRun& run) {
  std::vector<std::pair<double, StageWay>> ways;
  for (StageWay& way : waysOf(run)) {
    placed_.push_back({run, std::move(way)});
    const double bound = fits() ? suffix_.boundOf(placed_) : kInfinite;
    if (bound < limit_) ways.emplace_back(bound, std::move(placed_.back().way));
    placed_.pop_back();
  }
  std::sort(ways.begin(), ways.end(), [](const auto& a, const auto& b) {
    return std::tie(a.first, a.second.options) <
           std::tie(b.first, b.second.options);
  });
  for (auto& [bound, way] : ways) {
    if (bound >= limit_) return;
    if (isSpent()) {
      isComplete_ = false;
      return;
    }
    placed_.push_back({run, std::move(way)});
    extend();
    placed_.pop_back();
  }
}

std::vector<StageWay> CaseSearch::waysOf(const StageRun& run) {
  const auto stage = static_cast<int64_t>(placed_.size());
  const FrontKind& kind = kinds_[stage];
  if (const StageFront* front = searched_.fronts.exact(run, kind))
    return front->ways;
  isComplete_ = false;

  // The room that the worker has left, and the stage's share of it.
  double room = searched_.problem.room(), rest = 0;
  for (const WorkerStage& other : table_.workers()[workerOf_[stage]])
    if (other.stage < stage)
      room -= placed_[other.stage].way.bytes;
    else
      ++rest;
  const auto n = static_cast<double>(table_.numMicroBatches());
  std::vector<StageWay> ways = searched_.fronts.near(run, kind, n, room).ways;
  if (rest > 1) {
    const StageFront& share = searched_.fronts.near(run, kind, n, room / rest);
    ways.insert(ways.end(), share.ways.begin(), share.ways.end());
  }
  return ways;
}

/// Whether the stages so far fit into their workers' memory.
bool CaseSearch::fits() const {
  if (table_.isOnePipe()) return true;
  const auto numPlaced = static_cast<int64_t>(placed_.size());
  for (const std::vector<WorkerStage>& stages : table_.workers()) {
    double bytes = 0, transient = 0;
    for (const WorkerStage& stage : stages) {
      if (stage.stage >= numPlaced) continue;
      bytes += placed_[stage.stage].way.bytes;
      transient = std::max(transient, placed_[stage.stage].way.transient);
    }
    if (bytes + transient > searched_.problem.room()) return false;
  }
  return true;
}

/// Returns the distance of the run's time from an equal share of what its
/// worker has left to do.
double CaseSearch::imbalanceOf(const StageRun& run) const {
  const std::vector<double>& least = searched_.least.all;
  const auto stage = static_cast<int64_t>(placed_.size());
  const double ofStage = least.back() / static_cast<double>(table_.numStages());
  double left = 0, rest = 0;
  for (const WorkerStage& other : table_.workers()[workerOf_[stage]]) {
    left += ofStage;
    if (other.stage >= stage) {
      ++rest;
      continue;
    }
    const StageRun& placed = placed_[other.stage].run;
    left -= least[placed.end] - least[placed.begin];
  }
  return std::abs(least[run.end] - least[run.begin] - left / rest);
}

void CaseSearch::simulate() {
  JointPlan plan;
  plan.chosenCase = searched_.index;
  plan.family = family_;
  for (const PlacedStage& stage : placed_) {
    plan.ends.push_back(stage.run.end);
    plan.options.insert(plan.options.end(), stage.way.options.begin(),
                        stage.way.options.end());
  }
  ++tables_;
  bestSeconds_ = std::min(
      bestSeconds_, incumbent_->simulate(searched_.problem, table_,
                                         std::move(plan), searched_.work));
  limit_ = std::min(limit_, incumbent_->seconds());
}

}  // namespace sbp::search
