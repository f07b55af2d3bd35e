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

/// A task of a table, in one of the training steps of the sequence.
struct Started {
  int64_t number = 0;  // as in the table's Dependencies
  int64_t step = 0;
  double start = 0;
  size_t place = 0;  // order among tasks that start at the same time
};

/// Returns all tasks of `numSteps` training steps in the order in which they
/// start, if each takes its default time. A task comes after the tasks that it
/// waits for. Overlapping steps repeat the same pattern.
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
    // A task must not start at the same time as a task that it waits for. So
    // all tasks take some time.
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

/// Returns the kinds of functions that run a schedule's task of kind `kind`.
std::vector<Kind> kindsOf(Kind kind) {
  if (kind == Kind::Backward)
    return {Kind::Backward, Kind::Input, Kind::Weight};
  return {kind};
}

}  // namespace

PipelineOrder::PipelineOrder(const schedule::Table& table)
    : table_(table),
      // scheduleOf() has checked that the table has delays and periods.
      periods_(*schedule::periodsOf(table, *schedule::delaysOf(table))),
      numMicroBatches_(table.numParts()),
      isPeriodic_(schedule::numOverlappedSteps(table) > 0) {
  const int64_t overlap = schedule::numOverlappedSteps(table);
  // The first steps fill the pipeline. The last steps are for look-ups of
  // positions in steps after the middle one, up to twice the distance by which
  // a rank may be ahead of another rank.
  middle_ = 2 * overlap;
  addSequence(isPeriodic_ ? 5 * overlap + 2 : 1);
  addPeriods();
  if (isPeriodic_) findMaxSkew();
}

void PipelineOrder::addSequence(int64_t numSteps) {
  schedule::Dependencies dependencies(table_);
  int64_t position = 0;
  for (const Started& started : startingOrder(dependencies, numSteps)) {
    const schedule::Task& task = dependencies.task(started.number);
    for (int64_t part = task.first; part < task.end(); ++part)
      for (Kind kind : kindsOf(task.kind)) {
        std::vector<int64_t>& positions = positions_[{task.stage, kind}];
        positions.resize(numMicroBatches_ * numSteps, -1);
        positions[started.step * numMicroBatches_ + part] = position++;
      }
  }
}

void PipelineOrder::addPeriods() {
  for (const std::vector<schedule::PeriodTask>& period : periods_)
    for (const schedule::PeriodTask& own : period)
      add(own.task, own.stepOffset);
  llvm::sort(runs_, [](const TaskRun& a, const TaskRun& b) {
    return a.position < b.position;
  });
}

void PipelineOrder::add(const schedule::Task& task, int64_t stepOffset) {
  for (int64_t part = task.first; part < task.end(); ++part)
    for (Kind kind : kindsOf(task.kind)) {
      const StageTask run = {task.stage, kind};
      std::vector<int64_t>& stepOffsets = stepOffsets_[run];
      stepOffsets.resize(numMicroBatches_, 0);
      stepOffsets[part] = stepOffset;
      runs_.push_back(
          {run, part, stepOffset, *positionOf(run, part, stepOffset)});
    }
}

int64_t PipelineOrder::endOf(size_t worker, int64_t period) const {
  int64_t end = -1;
  for (const schedule::PeriodTask& own : periods_[worker])
    for (Kind kind : kindsOf(own.task.kind))
      if (auto position = positionOf({own.task.stage, kind}, own.task.end() - 1,
                                     own.stepOffset + period))
        end = std::max(end, *position);
  return end;
}

// A rank that has ended its step waits for ends of an earlier step. All of
// these must come before the rank's own end in the sequence.
void PipelineOrder::findMaxSkew() {
  int64_t first = std::numeric_limits<int64_t>::max();
  for (size_t worker = 0; worker < periods_.size(); ++worker)
    if (!periods_[worker].empty()) first = std::min(first, endOf(worker, 0));
  for (size_t worker = 0; worker < periods_.size(); ++worker)
    while (maxSkew_ < middle_ && endOf(worker, -maxSkew_) > first) ++maxSkew_;
  // A rank runs updates, and whatever else ends a step, after its last task in
  // the sequence.
  ++maxSkew_;
}

PipelineOrder PipelineOrder::forOneStep() const {
  return isPeriodic_ ? PipelineOrder(schedule::unrolled(table_, 1)) : *this;
}

PipelineOrder PipelineOrder::forEntry(mlir::func::FuncOp entry) const {
  return entry->hasAttr(nn::kTrainedByAttrName) ? *this : forOneStep();
}

FailureOr<std::optional<PipelineOrder>> PipelineOrder::fromModule(
    ModuleOp module) {
  FailureOr<std::optional<schedule::Table>> table = scheduleOf(module);
  if (failed(table)) return failure();
  if (!*table) return std::optional<PipelineOrder>();
  PipelineOrder order(**table);
  order.isMessageDriven_ = isByMessages(module);
  return std::optional(std::move(order));
}

std::vector<PipelineOrder::RankTaskRun> PipelineOrder::taskRunsOf(
    ArrayRef<RankTasks> pipes) const {
  std::vector<size_t> pipeOf(numMicroBatches_, pipes.size());
  for (auto [index, pipe] : llvm::enumerate(pipes))
    for (int64_t microBatch : pipe.microBatches)
      if (microBatch < numMicroBatches_) pipeOf[microBatch] = index;
  std::vector<RankTaskRun> own;
  for (const TaskRun& run : runs_) {
    const size_t pipe = pipeOf[run.microBatch];
    if (pipe == pipes.size()) continue;
    ArrayRef<StageTask> tasks = pipes[pipe].tasks;
    if (const auto* task = llvm::find(tasks, run.task); task != tasks.end())
      own.push_back({run, pipe, static_cast<size_t>(task - tasks.begin())});
  }
  return own;
}

LogicalResult PipelineOrder::checkCounts(nn::RepeatOp repeat,
                                         ArrayRef<StageTask> tasks) const {
  const auto times = static_cast<int64_t>(repeat.getTimes());
  for (StageTask task : tasks)
    if (int64_t count = countOf(task); count != times)
      return repeat->emitOpError() << "runs " << task.text() << " " << times
                                   << " times, but the schedule has it for "
                                   << count << " micro-batches";
  return success();
}

int64_t PipelineOrder::countOf(StageTask task) const {
  int64_t count = 0;
  for (int64_t i = 0; i < numMicroBatches_; ++i)
    count += positionOf(task, i, /*stepOffset=*/0).has_value();
  return count;
}

std::optional<int64_t> PipelineOrder::positionOf(StageTask task,
                                                 int64_t microBatch,
                                                 int64_t stepOffset) const {
  auto known = positions_.find(task);
  if (known == positions_.end()) return std::nullopt;
  const int64_t index = (middle_ + stepOffset) * numMicroBatches_ + microBatch;
  const std::vector<int64_t>& positions = known->second;
  if (index < 0 || index >= static_cast<int64_t>(positions.size()) ||
      positions[index] < 0)
    return std::nullopt;
  return positions[index];
}

int64_t PipelineOrder::periodOf(StageTask task, int64_t microBatch,
                                int64_t stepOffset) const {
  auto own = stepOffsets_.find(task);
  return own == stepOffsets_.end() ? stepOffset
                                   : stepOffset - own->second[microBatch];
}

}  // namespace sbp
