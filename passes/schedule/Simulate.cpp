#include "passes/schedule/Simulate.h"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "llvm/ADT/SmallVector.h"

namespace sbp::schedule {
namespace {

double timeOf(const StageTimes& times, Kind kind) {
  switch (kind) {
    case Kind::Forward:
      return times.forward;
    case Kind::Backward:
      return times.backward;
    case Kind::Input:
      return times.input;
    case Kind::Weight:
      return times.weight;
    case Kind::Recompute:
      return times.recompute;
    case Kind::Reduce:
      return times.reduce;
    case Kind::Update:
      return times.update;
  }
  return 0;
}

}  // namespace

double Durations::of(const Table& table, const Task& task) const {
  const double time = timeOf(stages[task.stage], task.kind);
  if (!isPerPart(task.kind)) return time;
  return time * static_cast<double>(task.count) /
         static_cast<double>(table.partsPerMicroBatch);
}

double Durations::latencyBetween(int64_t stage, int64_t other) const {
  const int64_t boundary = std::min(stage, other);
  if (boundaryLatencies.empty() || stage == other) return latency;
  return latency + boundaryLatencies[boundary];
}

double Simulation::bubbleOf(int64_t worker) const {
  return makespan > 0 ? 1 - busy[worker] / makespan : 0;
}

double Simulation::bubble() const {
  if (makespan <= 0) return 0;
  const double all = std::accumulate(busy.begin(), busy.end(), 0.0);
  return 1 - all / (makespan * static_cast<double>(busy.size()));
}

namespace {

/// The times at which messages between workers arrive. The results of a task
/// travel once to each worker that waits for them.
class Links {
 public:
  Links(const Dependencies& dependencies, const Durations& durations)
      : dependencies_(dependencies),
        durations_(durations),
        numWorkers_(dependencies.table().numWorkers()),
        free_(numWorkers_ * numWorkers_, 0),
        messages_(dependencies.numTasks()) {
    for (int64_t task = 0; task < dependencies.numTasks(); ++task)
      for (int64_t before : dependencies.before(task))
        if (dependencies.workerOf(before) != dependencies.workerOf(task))
          addReceiver(before, task);
  }

  /// Sends the results of `task`, which ended at `end`, to all workers that
  /// wait for it. Must be called for the tasks of a worker in their order.
  void send(int64_t task, double end) {
    for (Message& message : messages_[task]) {
      double& free =
          free_[dependencies_.workerOf(task) * numWorkers_ + message.receiver];
      free = std::max(free, end) + durations_.transfer;
      message.arrival = free + message.latency;
    }
  }

  double arrival(int64_t task, int64_t receiver) const {
    for (const Message& message : messages_[task])
      if (message.receiver == receiver) return message.arrival;
    assert(false && "no message was sent");
    return 0;
  }

 private:
  struct Message {
    int64_t receiver;  // a worker
    double latency;
    double arrival = 0;
  };

  void addReceiver(int64_t sender, int64_t task) {
    const int64_t receiver = dependencies_.workerOf(task);
    const double latency = durations_.latencyBetween(
        dependencies_.task(sender).stage, dependencies_.task(task).stage);
    llvm::SmallVectorImpl<Message>& messages = messages_[sender];
    auto place =
        std::find_if(messages.begin(), messages.end(),
                     [&](const Message& m) { return m.receiver >= receiver; });
    if (place != messages.end() && place->receiver == receiver)
      place->latency = std::max(place->latency, latency);
    else
      messages.insert(place, {receiver, latency});
  }

  const Dependencies& dependencies_;
  const Durations& durations_;
  int64_t numWorkers_;
  std::vector<double> free_;                             // by sender, receiver
  std::vector<llvm::SmallVector<Message, 1>> messages_;  // by task; by receiver
};

}  // namespace

Simulation simulate(const Dependencies& dependencies,
                    const Durations& durations) {
  const int64_t numTasks = dependencies.numTasks();
  const Table& table = dependencies.table();
  Simulation run;
  run.starts.assign(numTasks, 0);
  run.ends.assign(numTasks, 0);
  run.busy.assign(table.numWorkers(), 0);
  std::vector<int64_t> causes(numTasks, -1);  // tasks that determine starts
  int64_t last = -1;
  Links links(dependencies, durations);
  const std::vector<int64_t> order = executionOrder(dependencies);
  assert(static_cast<int64_t>(order.size()) == numTasks &&
         "only tables that have been checked are run");
  for (int64_t task : order) {
    const int64_t worker = dependencies.workerOf(task);
    auto waitFor = [&](int64_t cause, double until) {
      if (causes[task] >= 0 && until <= run.starts[task]) return;
      run.starts[task] = until;
      causes[task] = cause;
    };
    if (const int64_t previous = dependencies.previous(task); previous >= 0)
      waitFor(previous, run.ends[previous]);
    for (int64_t before : dependencies.before(task)) {
      const bool isNear = dependencies.workerOf(before) == worker;
      waitFor(before,
              isNear ? run.ends[before] : links.arrival(before, worker));
    }
    const double duration = durations.of(table, dependencies.task(task));
    run.ends[task] = run.starts[task] + duration;
    run.busy[worker] += duration;
    links.send(task, run.ends[task]);
    if (last < 0 || run.ends[task] > run.ends[last]) last = task;
  }
  for (int64_t task = last; task >= 0; task = causes[task])
    run.criticalPath.push_back(task);
  std::reverse(run.criticalPath.begin(), run.criticalPath.end());
  if (last >= 0) run.makespan = run.ends[last];
  return run;
}

}  // namespace sbp::schedule
