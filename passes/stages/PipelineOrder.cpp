#include "passes/stages/PipelineOrder.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "passes/schedule/Delays.h"
#include "passes/schedule/Dependencies.h"
#include "passes/schedule/Repetition.h"
#include "passes/schedule/Simulate.h"
#include "passes/stages/Schedule.h"

namespace sbp {
namespace {

using schedule::Kind;

/// A task of a table in one of the training steps of the sequence.
struct Started {
  int64_t number = 0;  // as in the table's Dependencies
  int64_t step = 0;
  double start = 0;
  size_t place = 0;  // order among tasks that start at the same time
};

/// Returns all tasks of `numSteps` training steps in the order in which they
/// start, if each takes its usual time. A task comes after those that it waits
/// for. Steps that overlap all do so in the same way.
std::vector<Started> startingOrder(const schedule::Dependencies& dependencies,
                                   int64_t numSteps) {
  schedule::Durations durations;
  durations.stages.resize(dependencies.table().numStages);
  std::vector<Started> order;
  if (numSteps == 1) {
    const auto starts = simulate(dependencies, durations).starts;
    for (int64_t number : executionOrder(dependencies))
      order.push_back({number, 0, starts[number]});
  } else {
    // All tasks take some time, so that none starts at the same time as one
    // that it waits for.
    for (schedule::StageTimes& times : durations.stages)
      times.reduce = times.update = 1;
    const auto repetition = fastestRepetition(dependencies, durations);
    for (int64_t step = 0; step < numSteps; ++step)
      for (int64_t number = 0; number < dependencies.numTasks(); ++number)
        order.push_back({number, step,
                         repetition.starts[number] +
                             repetition.period * static_cast<double>(step)});
  }
  for (auto [place, started] : llvm::enumerate(order)) started.place = place;
  llvm::sort(order, [](const Started& a, const Started& b) {
    return std::make_pair(a.start, a.place) < std::make_pair(b.start, b.place);
  });
  return order;
}

/// Returns the kinds of functions that may run a schedule's task of this kind.
std::vector<Kind> kindsOf(Kind kind) {
  if (kind == Kind::Backward)
    return {Kind::Backward, Kind::Input, Kind::Weight};
  return {kind};
}

std::string nameOf(int64_t stage, Kind kind) {
  return std::to_string(stage) + schedule::letterOf(kind);
}

}  // namespace

PipelineOrder::PipelineOrder(const schedule::Table& table)
    : table_(table),
      // scheduleOf has checked that the table has both.
      periods_(*schedule::periodsOf(table, *schedule::delaysOf(table))),
      numMicroBatches_(table.numParts()),
      isPeriodic_(schedule::numOverlappedSteps(table) > 0) {
  const int64_t stepsBack = schedule::numOverlappedSteps(table);
  // The first steps fill the pipeline. The last ones are there because
  // positions are looked up for steps after the middle: as far as one rank may
  // be ahead of another one, twice.
  middle_ = 2 * stepsBack;
  addSequence(isPeriodic_ ? 5 * stepsBack + 2 : 1);
  addPeriods();
  if (isPeriodic_) findLag();
}

void PipelineOrder::addSequence(int64_t numSteps) {
  schedule::Dependencies dependencies(table_);
  int64_t position = 0;
  for (const Started& started : startingOrder(dependencies, numSteps)) {
    const schedule::Task& task = dependencies.task(started.number);
    for (int64_t part = task.first; part < task.end(); ++part)
      for (Kind kind : kindsOf(task.kind)) {
        std::vector<int64_t>& positions = positions_[nameOf(task.stage, kind)];
        positions.resize(numMicroBatches_ * numSteps, -1);
        positions[started.step * numMicroBatches_ + part] = position++;
      }
  }
}

void PipelineOrder::addPeriods() {
  for (const std::vector<schedule::PeriodTask>& period : periods_)
    for (const schedule::PeriodTask& own : period)
      add(own.task, own.stepOffset);
  llvm::sort(steps_, [](const Step& a, const Step& b) {
    return a.position < b.position;
  });
}

void PipelineOrder::add(const schedule::Task& task, int64_t ahead) {
  for (int64_t part = task.first; part < task.end(); ++part)
    for (Kind kind : kindsOf(task.kind)) {
      std::string name = nameOf(task.stage, kind);
      const int64_t position = *positionOf(name, part, ahead);
      std::vector<int64_t>& aheadOf = aheadOf_[name];
      aheadOf.resize(numMicroBatches_, 0);
      aheadOf[part] = ahead;
      steps_.push_back({std::move(name), part, ahead, position});
    }
}

int64_t PipelineOrder::endOf(size_t worker, int64_t ahead) const {
  int64_t end = -1;
  for (const schedule::PeriodTask& own : periods_[worker])
    for (Kind kind : kindsOf(own.task.kind))
      if (auto position =
              positionOf(nameOf(own.task.stage, kind), own.task.end() - 1,
                         own.stepOffset + ahead))
        end = std::max(end, *position);
  return end;
}

// A rank that has ended its step waits for the ends of steps that all come
// before this end in the sequence.
void PipelineOrder::findLag() {
  int64_t first = std::numeric_limits<int64_t>::max();
  for (size_t worker = 0; worker < periods_.size(); ++worker)
    if (!periods_[worker].empty()) first = std::min(first, endOf(worker, 0));
  for (size_t worker = 0; worker < periods_.size(); ++worker)
    while (lag_ < middle_ && endOf(worker, -lag_) > first) ++lag_;
  // The tasks of a step are followed by the updates and whatever else ends it.
  ++lag_;
}

PipelineOrder PipelineOrder::ofOneStep() const {
  return isPeriodic_ ? PipelineOrder(schedule::unrolled(table_, 1)) : *this;
}

PipelineOrder PipelineOrder::ofEntry(mlir::func::FuncOp entry) const {
  return entry->hasAttr(nn::kTrainedByAttrName) ? *this : ofOneStep();
}

FailureOr<std::optional<PipelineOrder>> PipelineOrder::of(ModuleOp module) {
  FailureOr<std::optional<schedule::Table>> table = scheduleOf(module);
  if (failed(table)) return failure();
  if (!*table) return std::optional<PipelineOrder>();
  PipelineOrder order(**table);
  order.isByMessages_ = sbp::isByMessages(module);
  return std::optional(std::move(order));
}

std::vector<PipelineOrder::OwnStep> PipelineOrder::stepsOf(
    ArrayRef<Share> shares) const {
  std::vector<size_t> shareOf(numMicroBatches_, shares.size());  // by time
  for (auto [index, share] : llvm::enumerate(shares))
    for (int64_t time : share.times)
      if (time < numMicroBatches_) shareOf[time] = index;
  std::vector<OwnStep> own;
  for (const Step& step : steps_) {
    const size_t share = shareOf[step.time];
    if (share == shares.size()) continue;
    const auto* task = llvm::find(shares[share].tasks, StringRef(step.task));
    if (task != shares[share].tasks.end())
      own.push_back({step, share, size_t(task - shares[share].tasks.begin())});
  }
  return own;
}

LogicalResult PipelineOrder::checkTimes(nn::RepeatOp repeat,
                                        ArrayRef<StringRef> tasks) const {
  const auto times = static_cast<int64_t>(repeat.getTimes());
  for (StringRef task : tasks)
    if (int64_t count = countOf(task); count != times)
      return repeat->emitOpError() << "runs " << task << " " << times
                                   << " times, but the schedule has it for "
                                   << count << " micro-batches";
  return success();
}

int64_t PipelineOrder::countOf(StringRef task) const {
  int64_t count = 0;
  for (int64_t time = 0; time < numMicroBatches_; ++time)
    count += positionOf(task, time, /*ahead=*/0).has_value();
  return count;
}

std::optional<int64_t> PipelineOrder::positionOf(StringRef task, int64_t time,
                                                 int64_t ahead) const {
  auto known = positions_.find(task);
  if (known == positions_.end()) return std::nullopt;
  const int64_t place = (middle_ + ahead) * numMicroBatches_ + time;
  const auto& positions = known->second;
  if (place < 0 || place >= static_cast<int64_t>(positions.size()) ||
      positions[place] < 0)
    return std::nullopt;
  return positions[place];
}

int64_t PipelineOrder::periodOf(StringRef task, int64_t time,
                                int64_t ahead) const {
  auto own = aheadOf_.find(task);
  return own == aheadOf_.end() ? ahead : ahead - own->second[time];
}

}  // namespace sbp
