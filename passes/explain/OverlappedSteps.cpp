#include "passes/explain/OverlappedSteps.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "passes/schedule/Dependencies.h"
#include "passes/schedule/Repetition.h"
#include "passes/schedule/Simulate.h"

namespace sbp {
namespace {

using schedule::Kind;

/// Smallest duration of a task, in seconds. It is positive so that a task
/// starts strictly after the tasks that it waits for.
constexpr double kMinSeconds = 1e-12;

/// Returns the seconds of one run of `task`, or kMinSeconds if `run` has no
/// such task.
double secondsOf(const ExplainedRun& run, StageTask task) {
  double seconds = 0;
  for (const ExplainedTask& explained : run.tasks)
    if (explained.task == task && explained.runs > 0)
      seconds += (explained.computing + explained.communicating) /
                 static_cast<double>(explained.runs);
  return std::max(seconds, kMinSeconds);
}

schedule::Durations durationsOf(const schedule::Table& table,
                                const ExplainedRun& run) {
  schedule::Durations durations;
  for (int64_t stage = 0; stage < table.numStages; ++stage) {
    const auto of = [&](Kind kind) { return secondsOf(run, {stage, kind}); };
    schedule::StageTimes times;
    times.forward = of(Kind::Forward);
    times.input = of(Kind::Input);
    times.weight = of(Kind::Weight);
    // A whole backward does the work of both halves, and the work that belongs
    // to neither half.
    times.backward = of(Kind::Backward) + times.input + times.weight;
    times.recompute = of(Kind::Recompute);
    times.reduce = times.update = kMinSeconds;
    durations.stages.push_back(times);
  }
  // The work of a group outside its tasks counts as its update of weights.
  std::vector<double> rest = run.busy;
  for (const ExplainedTask& task : run.tasks)
    rest[task.group] -= task.computing + task.communicating;
  for (auto [worker, tasks] : llvm::enumerate(table.workers)) {
    for (const schedule::Task& task : tasks)
      if (task.kind == Kind::Update) {
        durations.stages[task.stage].update =
            std::max(rest[worker], kMinSeconds);
        break;
      }
  }
  double seconds = 0, number = 0;
  for (const ExplainedCrossing& crossing : run.crossings) {
    if (!crossing.task) continue;
    seconds += crossing.seconds;
    number += static_cast<double>(crossing.number);
  }
  if (number > 0) durations.latency = seconds / number;
  return durations;
}

}  // namespace

void overlapSteps(const schedule::Table& table, ExplainedRun& run) {
  const schedule::Dependencies dependencies(table);
  const schedule::Durations durations = durationsOf(table, run);
  const auto repetition = schedule::fastestRepetition(dependencies, durations);
  run.secondsOfOneStep = run.seconds;
  run.seconds = repetition.period;
  // Within one step, tasks wait as long as before. The tasks of other steps run
  // in these waits, so the chain is no bound on the time between steps.
  run.longestChain = 0;
  run.busiestGroup = *llvm::max_element(run.busy);
  run.slices.clear();
  const int64_t numSteps = schedule::numOverlappedSteps(table) + 2;
  for (int64_t step = 0; step < numSteps; ++step)
    for (int64_t number = 0; number < dependencies.numTasks(); ++number) {
      const schedule::Task& task = dependencies.task(number);
      const double start = repetition.starts[number] +
                           static_cast<double>(step) * repetition.period;
      const double seconds = durations.of(table, task);
      if (seconds <= kMinSeconds) continue;
      const bool isPerPart = schedule::isPerPart(task.kind);
      std::string what =
          isPerPart ? StageTask{task.stage, task.kind}.text() : "update";
      run.slices.push_back({dependencies.workerOf(number), std::move(what),
                            isPerPart ? task.first : -1, start,
                            start + seconds});
    }
  llvm::sort(run.slices, [](const ExplainedSlice& a, const ExplainedSlice& b) {
    return std::tie(a.start, a.end, a.group) <
           std::tie(b.start, b.end, b.group);
  });
}

}  // namespace sbp
