#include "passes/stages/PipelineOrder.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "passes/schedule/Dependencies.h"
#include "passes/schedule/Simulate.h"
#include "passes/stages/Schedule.h"

namespace sbp {
namespace {

using schedule::Kind;

/// The numbers of all tasks as they start, if each takes its usual time: one
/// behind those that it waits for.
std::vector<int64_t> startingOrder(const schedule::Dependencies& dependencies) {
  const std::vector<int64_t> runnable = executionOrder(dependencies);
  schedule::Durations durations;
  durations.stages.resize(dependencies.table().numStages);
  const schedule::Simulation simulation = simulate(dependencies, durations);
  std::vector<int64_t> place(runnable.size());
  for (auto [index, number] : llvm::enumerate(runnable))
    place[number] = static_cast<int64_t>(index);
  std::vector<int64_t> order = runnable;
  llvm::sort(order, [&](int64_t a, int64_t b) {
    return std::make_pair(simulation.starts[a], place[a]) <
           std::make_pair(simulation.starts[b], place[b]);
  });
  return order;
}

/// The kinds of function that run where a schedule has `kind`.
std::vector<Kind> kindsOf(Kind kind) {
  if (kind == Kind::Backward)
    return {Kind::Backward, Kind::Input, Kind::Weight};
  return {kind};
}

}  // namespace

PipelineOrder::PipelineOrder(const schedule::Table& table)
    : numMicroBatches_(table.numParts()) {
  schedule::Dependencies dependencies(table);
  for (int64_t number : startingOrder(dependencies)) {
    const schedule::Task& task = dependencies.task(number);
    for (int64_t part = task.first; part < task.end(); ++part)
      for (Kind kind : kindsOf(task.kind))
        add(std::to_string(task.stage) + schedule::letterOf(kind), part);
  }
}

void PipelineOrder::add(const std::string& task, int64_t time) {
  auto position = static_cast<int64_t>(steps_.size());
  steps_.push_back({task, time, position});
  std::vector<int64_t>& positions = positions_[task];
  positions.resize(numMicroBatches_, -1);
  positions[time] = position;
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
  auto known = positions_.find(task);
  if (known == positions_.end()) return 0;
  return llvm::count_if(known->second,
                        [](int64_t position) { return position >= 0; });
}

std::optional<int64_t> PipelineOrder::positionOf(StringRef task,
                                                 int64_t time) const {
  auto known = positions_.find(task);
  if (known == positions_.end() || known->second[time] < 0) return std::nullopt;
  return known->second[time];
}

}  // namespace sbp
