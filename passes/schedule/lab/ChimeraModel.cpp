#include "passes/schedule/lab/ChimeraModel.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "passes/schedule/Dependencies.h"

namespace sbp::schedule::lab {
namespace {

/// Returns the time of reductions of `worker` that is left at the end of `run`.
/// A reduction arrives with the last backward of its stage, and is served while
/// the worker is idle.
double unoverlappedOf(const Dependencies& dependencies, const Simulation& run,
                      const Durations& durations, int64_t worker) {
  const int64_t begin = dependencies.firstOf(worker);
  const int64_t end = dependencies.firstOf(worker + 1);
  std::map<int64_t, int64_t> lasts;  // the last task of each stage
  for (int64_t task = begin; task < end; ++task)
    lasts[dependencies.task(task).stage] = task;
  double left = 0;
  for (int64_t task = begin; task < end; ++task) {
    const int64_t stage = dependencies.task(task).stage;
    if (lasts.at(stage) == task) left += durations.stages[stage].reduce;
    const double next = task + 1 < end ? run.starts[task + 1] : run.makespan;
    left = std::max(0.0, left - (next - run.ends[task]));
  }
  return left;
}

}  // namespace

ChimeraModel chimeraModelOf(const Table& table, const Durations& durations) {
  Durations equal = durations;
  StageTimes slowest = durations.stages.front();
  for (const StageTimes& times : durations.stages) {
    slowest.forward = std::max(slowest.forward, times.forward);
    slowest.backward = std::max(slowest.backward, times.backward);
  }
  for (StageTimes& times : equal.stages) {
    times.forward = slowest.forward;
    times.backward = slowest.backward;
  }
  equal.transfer = equal.latency = 0;
  equal.boundaryLatencies.clear();
  const Dependencies dependencies(table);
  const Simulation run = simulate(dependencies, equal);

  ChimeraModel model;
  for (int64_t number : run.criticalPath) {
    const Task& task = dependencies.task(number);
    const double microBatches = static_cast<double>(task.count) /
                                static_cast<double>(table.partsPerMicroBatch);
    (task.kind == Kind::Forward ? model.forwards : model.backwards) +=
        microBatches;
  }
  for (int64_t worker = 0; worker < table.numWorkers(); ++worker)
    model.unoverlapped = std::max(
        model.unoverlapped, unoverlappedOf(dependencies, run, equal, worker));
  const double message = durations.transfer + durations.latency;
  model.makespan = (slowest.forward + message) * model.forwards +
                   (slowest.backward + message) * model.backwards +
                   model.unoverlapped;
  return model;
}

double allReduceTime(double ranks, double bytes, double alpha, double beta) {
  return 2 * std::log2(ranks) * alpha + 2 * (ranks - 1) / ranks * bytes * beta;
}

}  // namespace sbp::schedule::lab
