#include "passes/schedule/order/ListScheduling.h"

#include <functional>
#include <queue>
#include <utility>

#include "passes/schedule/order/Admission.h"

namespace sbp::schedule {
namespace {

constexpr int64_t kNone = -1;

class ListRun {
 public:
  ListRun(const TaskGraph& graph, const std::vector<double>& priorities)
      : graph_(graph),
        priorities_(priorities),
        admission_(graph),
        after_(graph.numTasks()),
        missing_(graph.numTasks()),
        begun_(graph.queues().size(), 0),
        running_(graph.numWorkers(), kNone),
        lists_(graph.numWorkers()) {
    for (int64_t task = 0; task < graph.numTasks(); ++task) {
      missing_[task] = static_cast<int64_t>(graph.before(task).size());
      for (const Arc& arc : graph.before(task))
        after_[arc.task].push_back({task, arc.lag});
    }
  }

  std::optional<TaskLists> run() {
    startAll(0);
    while (!events_.empty()) {
      const double now = events_.top().time;
      while (!events_.empty() && events_.top().time == now) {
        const Event event = events_.top();
        events_.pop();
        take(event);
      }
      startAll(now);
    }
    for (size_t queue = 0; queue < begun_.size(); ++queue)
      if (begun_[queue] < graph_.queues()[queue].tasks.size())
        return std::nullopt;
    return std::move(lists_);
  }

 private:
  /// The end of a task, or the arrival of its message at the task `receiver`.
  struct Event {
    double time = 0;
    int64_t task = 0, receiver = kNone;

    bool operator>(const Event& other) const { return time > other.time; }
  };

  void take(const Event& event) {
    if (event.receiver != kNone) {
      --missing_[event.receiver];
      return;
    }
    admission_.end(event.task);
    running_[graph_.workerOf(event.task)] = kNone;
    for (const Arc& arc : after_[event.task]) {
      if (arc.lag > 0)
        events_.push({event.time + arc.lag, event.task, arc.task});
      else
        --missing_[arc.task];
    }
  }

  /// Starts a task on each free worker that has one. A task that takes no time
  /// ends in an event of the same time.
  void startAll(double now) {
    for (int64_t worker = 0; worker < graph_.numWorkers(); ++worker) {
      if (running_[worker] != kNone) continue;
      int64_t best = kNone;
      for (int64_t queue : graph_.queuesOfWorker(worker)) {
        const std::vector<int64_t>& tasks = graph_.queues()[queue].tasks;
        if (begun_[queue] == tasks.size()) continue;
        const int64_t task = tasks[begun_[queue]];
        if (missing_[task] > 0 ||
            (best != kNone && priorities_[task] >= priorities_[best]) ||
            !admission_.admits(task))
          continue;
        best = task;
      }
      if (best == kNone) continue;
      ++begun_[graph_.queueOf(best)];
      admission_.start(best);
      running_[worker] = best;
      lists_[worker].push_back(best);
      events_.push({now + graph_.durationOf(best), best});
    }
  }

  const TaskGraph& graph_;
  const std::vector<double>& priorities_;
  Admission admission_;
  std::vector<std::vector<Arc>> after_;  // tasks that wait for a task
  std::vector<int64_t> missing_;         // results for which a task waits
  std::vector<size_t> begun_;            // number of tasks, by queue
  std::vector<int64_t> running_;         // by worker
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  TaskLists lists_;
};

}  // namespace

std::optional<TaskLists> listSchedule(const TaskGraph& graph,
                                      const std::vector<double>& priorities) {
  return ListRun(graph, priorities).run();
}

}  // namespace sbp::schedule
