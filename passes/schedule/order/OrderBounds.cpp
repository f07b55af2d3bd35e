#include "passes/schedule/order/OrderBounds.h"

#include <cmath>
#include <limits>
#include <utility>

namespace sbp::schedule {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

}  // namespace

double PreemptiveRun::makespan(std::vector<WorkerTask>& tasks, double limit) {
  // Tasks of a queue are sorted already, so few are out of place.
  for (size_t i = 1; i < tasks.size(); ++i)
    for (size_t k = i; k > 0 && tasks[k].head < tasks[k - 1].head; --k)
      std::swap(tasks[k], tasks[k - 1]);
  waiting_.clear();
  double now = 0, makespan = 0;
  for (size_t next = 0; next < tasks.size() || !waiting_.empty();) {
    if (waiting_.empty()) now = std::max(now, tasks[next].head);
    for (; next < tasks.size() && tasks[next].head <= now; ++next) {
      waiting_.push_back(tasks[next]);
      for (size_t k = waiting_.size() - 1;
           k > 0 && waiting_[k].tail < waiting_[k - 1].tail; --k)
        std::swap(waiting_[k], waiting_[k - 1]);
    }
    WorkerTask& urgent = waiting_.back();
    const double until = next < tasks.size() ? tasks[next].head : kInfinite;
    if (now + urgent.duration > until) {
      urgent.duration -= until - now;
      now = until;
      continue;
    }
    now += urgent.duration;
    makespan = std::max(makespan, now + urgent.tail);
    if (makespan > limit) return makespan;
    waiting_.pop_back();
  }
  return makespan;
}

namespace {

/// Returns the longest path from the start of task `from` to the end of task
/// `to`, over tasks of their batch; negative if there is none.
double pathWithinBatch(const TaskGraph& graph, int64_t from, int64_t to) {
  std::vector<double> ends(graph.numTasks(), -1);
  ends[from] = graph.durationOf(from);
  for (int64_t task : graph.sorted()) {
    if (graph.batchOf(task) != graph.batchOf(from)) continue;
    for (const Arc& arc : graph.before(task))
      if (ends[arc.task] >= 0)
        ends[task] = std::max(
            ends[task], ends[arc.task] + arc.lag + graph.durationOf(task));
  }
  return ends[to];
}

/// Returns the queue on the worker of `forwards` that frees what these keep, if
/// it is one task for each; nullptr otherwise.
const TaskQueue* queueThatFrees(const TaskGraph& graph,
                                const TaskQueue& forwards) {
  for (int64_t index : graph.queuesOfWorker(forwards.worker)) {
    const TaskQueue& queue = graph.queues()[index];
    const int64_t first = queue.tasks.front();
    if (graph.released(first) > 0 &&
        queue.first.stage == forwards.first.stage &&
        graph.task(first).first == graph.task(forwards.tasks.front()).first &&
        queue.first.count == forwards.first.count)
      return &queue;
  }
  return nullptr;
}

/// Returns the bound of `worker` by its memory; 0 if its forwards and backwards
/// are not of the same micro-batches.
double areaOf(const TaskGraph& graph, int64_t worker) {
  double kept = 0;  // sum over micro-batches of the time for which each is kept
  double number = 0, least = kInfinite, head = kInfinite, tail = kInfinite;
  double shortestFill = kInfinite, shortestDrain = kInfinite;
  for (int64_t index : graph.queuesOfWorker(worker)) {
    const TaskQueue& forwards = graph.queues()[index];
    const int64_t forward = forwards.tasks.front();
    if (forwards.first.kind != Kind::Forward) continue;
    const TaskQueue* freeing = queueThatFrees(graph, forwards);
    if (!freeing) return 0;
    const int64_t last = freeing->tasks.front();
    const auto count = static_cast<double>(forwards.tasks.size());
    number += count;
    kept += count * pathWithinBatch(graph, forward, last);
    least = std::min(least, graph.acquired(forward));
    shortestFill = std::min(shortestFill, graph.durationOf(forward));
    shortestDrain = std::min(shortestDrain, graph.durationOf(last));
    head = std::min(head, graph.heads()[forward]);
    tail = std::min(tail, graph.tails()[freeing->tasks.back()]);
  }
  if (number == 0 || least <= 0) return 0;
  // At most `most` are kept at once, as if all kept as little as the one that
  // keeps least. The first ones start a forward after another.
  const double most =
      std::min(number, std::floor(graph.roomOf(worker) / least));
  const double ramps = most * (most - 1) / 2 * (shortestFill + shortestDrain);
  return head + (kept + ramps) / most + tail;
}

}  // namespace

OrderBounds orderBoundsOf(const TaskGraph& graph) {
  OrderBounds bounds;
  for (int64_t task = 0; task < graph.numTasks(); ++task)
    bounds.path =
        std::max(bounds.path, graph.heads()[task] + graph.durationOf(task) +
                                  graph.tails()[task]);
  for (int64_t worker = 0; worker < graph.numWorkers(); ++worker) {
    std::vector<WorkerTask> tasks;
    for (int64_t index : graph.queuesOfWorker(worker))
      for (int64_t task : graph.queues()[index].tasks)
        tasks.push_back(
            {graph.heads()[task], graph.durationOf(task), graph.tails()[task]});
    std::sort(tasks.begin(), tasks.end(),
              [](const WorkerTask& a, const WorkerTask& b) {
                return a.head < b.head;
              });
    bounds.worker =
        std::max(bounds.worker, PreemptiveRun().makespan(tasks, kInfinite));
    bounds.area = std::max(bounds.area, areaOf(graph, worker));
  }
  return bounds;
}

}  // namespace sbp::schedule
