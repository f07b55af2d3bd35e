#include "passes/schedule/order/ExactOrder.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "passes/schedule/order/Admission.h"
#include "passes/schedule/order/FailedStates.h"
#include "passes/schedule/order/OrderBounds.h"

namespace sbp::schedule {

bool hasWholeTimes(const OrderProblem& problem, const TaskGraph& graph) {
  constexpr double most = 1 << 20;
  for (int64_t task = 0; task < graph.numTasks(); ++task) {
    const double time = graph.durationOf(task);
    if (time != std::floor(time) || time > most) return false;
    for (const Arc& arc : graph.before(task))
      if (arc.lag != 0) return false;
  }
  return problem.durations.transfer == 0;
}

namespace {

constexpr int64_t kNone = -1;
constexpr int64_t kForever = std::numeric_limits<int64_t>::max();

/// A depth-first search for an order that ends by a given time.
class ExactSearch {
 public:
  ExactSearch(const TaskGraph& graph, int64_t maxStates)
      : graph_(graph),
        maxStates_(maxStates),
        admission_(graph),
        begun_(graph.queues().size(), 0),
        running_(graph.numWorkers(), kNone),
        ends_(graph.numWorkers(), 0),
        isDeclined_(graph.queues().size(), 0),
        isDeclining_(graph.numWorkers(), 0),
        idleUntil_(graph.numWorkers(), kForever),
        isEnded_(graph.numTasks(), 0),
        lists_(graph.numWorkers()),
        heads_(graph.numTasks(), 0),
        floors_(graph.numTasks(), 0),
        failed_(graph) {
    for (int64_t task = 0; task < graph.numTasks(); ++task) {
      durations_.push_back(static_cast<int64_t>(graph.durationOf(task)));
      tails_.push_back(static_cast<int64_t>(graph.tails()[task]));
    }
    for (int64_t task : graph.sorted()) {
      const auto firstWait = static_cast<int32_t>(waits_.size());
      for (const Arc& arc : graph.allBefore(task))
        waits_.push_back({arc.task, durations_[arc.task]});
      packed_.push_back({task, graph.workerOf(task), durations_[task],
                         tails_[task], firstWait,
                         static_cast<int32_t>(waits_.size())});
    }
  }

  /// Returns whether there is an order that ends by `deadline`. The answer is
  /// none if `maxStates` are searched.
  std::optional<bool> isFeasible(int64_t deadline) {
    deadline_ = deadline;
    isSpent_ = false;
    const bool isFound = searchFrom(0);
    if (isSpent_) return std::nullopt;
    return isFound;
  }

  /// Returns the order that was found.
  Table order() const { return graph_.tableOf(lists_); }
  int64_t numStates() const { return numStates_; }

 private:
  /// Searches from the present state, at the time `now`, when no task ends that
  /// has not been ended. Returns whether an order was found; all state is then
  /// left as it is.
  bool searchFrom(int64_t now) {
    if (numEnded_ == graph_.numTasks()) return true;
    if (++numStates_ > maxStates_) {
      isSpent_ = true;
      return false;
    }
    const SearchState state = stateAt(now);
    if (failed_.isKnown(state) || isTooLate(now)) return false;
    if (startOn(0, now)) return true;
    if (!isSpent_) failed_.add(state);
    return false;
  }

  SearchState stateAt(int64_t now) const {
    SearchState state = {deadline_ - now, begun_, {}, {}};
    for (int64_t worker = 0; worker < graph_.numWorkers(); ++worker) {
      const int64_t task = running_[worker];
      state.runningQueue.push_back(task == kNone ? kNone
                                                 : graph_.queueOf(task));
      state.leftWhenFree.push_back(deadline_ -
                                   (task == kNone ? now : ends_[worker]));
    }
    return state;
  }

  /// Whether no order from the present state ends by the deadline.
  bool isTooLate(int64_t now) {
    std::fill(floors_.begin(), floors_.end(), now);
    isRaised_ = false;
    if (!findHeads()) return true;
    for (int64_t worker = 0; worker < graph_.numWorkers(); ++worker)
      if (!raiseFloors(worker)) return true;
    if (isRaised_ && !findHeads()) return true;
    for (int64_t worker = 0; worker < graph_.numWorkers(); ++worker)
      if (isTooLateOn(worker)) return true;
    return false;
  }

  /// Finds the earliest starts of tasks that have not ended, from floors_ on.
  /// Returns whether none is too late.
  bool findHeads() {
    for (const PackedTask& task : packed_) {
      if (isEnded_[task.number]) continue;
      const int64_t runs = running_[task.worker];
      int64_t head = floors_[task.number];
      if (runs != kNone) head = std::max(head, ends_[task.worker]);
      if (runs == task.number) {
        heads_[task.number] = head - task.duration;
        continue;
      }
      for (int32_t i = task.firstWait; i < task.endOfWaits; ++i) {
        const auto [before, duration] = waits_[i];
        if (!isEnded_[before]) head = std::max(head, heads_[before] + duration);
      }
      heads_[task.number] = head;
      if (head + task.duration + task.tail > deadline_) return false;
    }
    return true;
  }

  /// Raises the floors of forwards that wait until enough backwards of all
  /// pipes on their worker have freed memory. Returns whether none of the
  /// forwards is too late.
  bool raiseFloors(int64_t worker) {
    if (!admission_.isUniform(worker)) return true;
    freeStarts_.clear();
    freeEnds_.clear();
    int64_t shortest = kForever;
    const auto addFree = [&](int64_t task) {
      freeStarts_.push_back(heads_[task]);
      freeEnds_.push_back(heads_[task] + durations_[task]);
      shortest = std::min(shortest, durations_[task]);
    };
    latest_.clear();
    for (int64_t queue : graph_.queuesOfWorker(worker)) {
      const std::vector<int64_t>& tasks = graph_.queues()[queue].tasks;
      const bool isForward = graph_.acquired(tasks.front()) > 0;
      const bool frees = graph_.released(tasks.front()) > 0;
      const int64_t runs = running_[worker];
      if (frees && runs != kNone && graph_.queueOf(runs) == queue)
        addFree(runs);
      for (size_t i = begun_[queue]; i < tasks.size(); ++i) {
        const int64_t task = tasks[i];
        if (frees) addFree(task);
        if (isForward)
          latest_.push_back(deadline_ - tails_[task] - durations_[task]);
      }
    }
    // The earliest ends of 1, 2, ... tasks that free memory: those of the tasks
    // by themselves, or, if all were as short as the shortest one, one after
    // the other.
    std::sort(freeStarts_.begin(), freeStarts_.end());
    std::sort(freeEnds_.begin(), freeEnds_.end());
    int64_t end = 0;
    for (size_t i = 0; i < freeEnds_.size(); ++i) {
      end = std::max(end, freeStarts_[i]) + shortest;
      freeEnds_[i] = std::max(freeEnds_[i], end);
    }
    // Of the forwards that must start by some time, all but `free` start after
    // one of them has ended.
    const size_t free = admission_.numThatFit(worker);
    std::sort(latest_.begin(), latest_.end());
    for (size_t i = free; i < latest_.size(); ++i)
      if (i - free >= freeEnds_.size() || freeEnds_[i - free] > latest_[i])
        return false;
    for (int64_t queue : graph_.queuesOfWorker(worker)) {
      const std::vector<int64_t>& tasks = graph_.queues()[queue].tasks;
      if (graph_.acquired(tasks.front()) <= 0) continue;
      for (size_t i = begun_[queue] + free; i < tasks.size(); ++i) {
        floors_[tasks[i]] = freeEnds_[i - begun_[queue] - free];
        isRaised_ |= floors_[tasks[i]] > heads_[tasks[i]];
      }
    }
    return true;
  }

  /// Whether the remaining tasks of `worker` end too late by themselves.
  bool isTooLateOn(int64_t worker) {
    // A declined task starts after another one of its worker.
    int64_t afterAnother = 0;
    if (isDeclining_[worker] && running_[worker] == kNone) {
      int64_t start = kForever;
      afterAnother = kForever;
      for (int64_t queue : graph_.queuesOfWorker(worker)) {
        const std::vector<int64_t>& tasks = graph_.queues()[queue].tasks;
        if (isDeclined_[queue] || isBegun(queue)) continue;
        const int64_t next = tasks[begun_[queue]];
        start = std::min(start, heads_[next]);
        afterAnother = std::min(afterAnother, heads_[next] + durations_[next]);
      }
      if (start >= idleUntil_[worker]) return true;
    }
    remaining_.clear();
    for (int64_t queue : graph_.queuesOfWorker(worker)) {
      const std::vector<int64_t>& tasks = graph_.queues()[queue].tasks;
      for (size_t i = begun_[queue]; i < tasks.size(); ++i) {
        const int64_t head = isDeclined_[queue]
                                 ? std::max(afterAnother, heads_[tasks[i]])
                                 : heads_[tasks[i]];
        remaining_.push_back({static_cast<double>(head),
                              graph_.durationOf(tasks[i]),
                              graph_.tails()[tasks[i]]});
      }
    }
    const auto deadline = static_cast<double>(deadline_);
    return preemptive_.makespan(remaining_, deadline) > deadline;
  }

  /// Whether all tasks of `queue` have begun.
  bool isBegun(int64_t queue) const {
    return begun_[queue] ==
           static_cast<int64_t>(graph_.queues()[queue].tasks.size());
  }

  /// Returns the next task of `queue` if all for which it waits have ended;
  /// kNone otherwise.
  int64_t nextOf(int64_t queue) const {
    if (isBegun(queue)) return kNone;
    const int64_t task = graph_.queues()[queue].tasks[begun_[queue]];
    for (const Arc& arc : graph_.before(task))
      if (!isEnded_[arc.task]) return kNone;
    return task;
  }

  /// Tries all that free workers from `worker` on can do at the time `now`.
  bool startOn(int64_t worker, int64_t now) {
    while (worker < graph_.numWorkers() && running_[worker] != kNone) ++worker;
    if (worker == graph_.numWorkers()) return advance();
    struct Choice {
      double latest;
      int64_t task;
    };
    std::vector<Choice> choices;
    std::vector<int64_t> ready;  // queues
    for (int64_t queue : graph_.queuesOfWorker(worker)) {
      const int64_t task = nextOf(queue);
      if (task == kNone || isDeclined_[queue]) continue;
      ready.push_back(queue);
      if (admission_.admits(task))
        choices.push_back(
            {-graph_.tails()[task] - graph_.durationOf(task), task});
    }
    std::sort(
        choices.begin(), choices.end(), [](const Choice& a, const Choice& b) {
          return a.latest != b.latest ? a.latest < b.latest : a.task < b.task;
        });
    for (const Choice& choice : choices) {
      const int64_t queue = graph_.queueOf(choice.task);
      const std::vector<char> declined = isDeclined_;
      const int64_t idleUntil = idleUntil_[worker];
      const char isDeclining = isDeclining_[worker];
      idleUntil_[worker] = kForever;
      isDeclining_[worker] = 0;
      ++begun_[queue];
      running_[worker] = choice.task;
      ends_[worker] = now + durations_[choice.task];
      lists_[worker].push_back(choice.task);
      admission_.start(choice.task);
      for (int64_t other : graph_.queuesOfWorker(worker))
        isDeclined_[other] = 0;
      if (startOn(worker + 1, now)) return true;
      isDeclined_ = declined;
      idleUntil_[worker] = idleUntil;
      isDeclining_[worker] = isDeclining;
      admission_.undo();
      lists_[worker].pop_back();
      running_[worker] = kNone;
      --begun_[queue];
      if (isSpent_) return false;
    }
    const int64_t idleUntil = idleUntil_[worker];
    const char isDeclining = isDeclining_[worker];
    for (int64_t queue : ready) {
      isDeclined_[queue] = 1;
      isDeclining_[worker] = 1;
      const int64_t task = nextOf(queue);
      if (graph_.acquired(task) <= 0)
        idleUntil_[worker] =
            std::min(idleUntil_[worker], now + durations_[task]);
    }
    const bool isFound = startOn(worker + 1, now);
    if (!isFound) {
      for (int64_t queue : ready) isDeclined_[queue] = 0;
      idleUntil_[worker] = idleUntil;
      isDeclining_[worker] = isDeclining;
    }
    return isFound;
  }

  /// Goes on to the next time at which tasks end.
  bool advance() {
    int64_t next = std::numeric_limits<int64_t>::max();
    for (int64_t worker = 0; worker < graph_.numWorkers(); ++worker)
      if (running_[worker] != kNone) next = std::min(next, ends_[worker]);
    if (next == std::numeric_limits<int64_t>::max()) return false;
    std::vector<std::pair<int64_t, int64_t>> ended;  // worker, task
    for (int64_t worker = 0; worker < graph_.numWorkers(); ++worker)
      if (running_[worker] != kNone && ends_[worker] == next) {
        ended.emplace_back(worker, running_[worker]);
        isEnded_[running_[worker]] = 1;
        admission_.end(running_[worker]);
        running_[worker] = kNone;
        ++numEnded_;
      }
    if (searchFrom(next)) return true;
    for (auto each = ended.rbegin(); each != ended.rend(); ++each) {
      const auto [worker, task] = *each;
      isEnded_[task] = 0;
      admission_.undo();
      running_[worker] = task;
      ends_[worker] = next;
      --numEnded_;
    }
    return false;
  }

  /// A task as isTooLate() needs it, in the order of TaskGraph::sorted.
  struct PackedTask {
    int64_t number, worker, duration, tail;
    int32_t firstWait, endOfWaits;  // in waits_
  };
  struct Wait {
    int64_t before, duration;
  };

  const TaskGraph& graph_;
  std::vector<int64_t> durations_, tails_;  // by task
  std::vector<PackedTask> packed_;
  std::vector<Wait> waits_;
  int64_t maxStates_, numStates_ = 0, deadline_ = 0;
  bool isSpent_ = false;  // maxStates_ are searched

  // The present state.
  Admission admission_;
  int64_t numEnded_ = 0;
  std::vector<int64_t> begun_;     // number of tasks, by queue
  std::vector<int64_t> running_;   // task, by worker; kNone: it is free
  std::vector<int64_t> ends_;      // of the running task, by worker
  std::vector<char> isDeclined_;   // by queue: could start before, and did not
  std::vector<char> isDeclining_;  // by worker: idle, though it could start
  // Time before which an idle worker starts a task, by worker.
  std::vector<int64_t> idleUntil_;
  std::vector<char> isEnded_;                // by task
  std::vector<std::vector<int64_t>> lists_;  // by worker

  // Of isTooLate(): the earliest starts of tasks that have not ended, and times
  // before which they do not start.
  std::vector<int64_t> heads_, floors_;
  bool isRaised_ = false;  // a floor is above a head
  // Of a worker: earliest starts and ends of tasks that free memory, and latest
  // starts of forwards.
  std::vector<int64_t> freeStarts_, freeEnds_, latest_;
  std::vector<WorkerTask> remaining_;
  PreemptiveRun preemptive_;

  FailedStates failed_;
};

}  // namespace

ExactAnswer searchExactOrder(const TaskGraph& graph, double lower, double upper,
                             int64_t maxStates) {
  ExactSearch search(graph, maxStates);
  ExactAnswer answer;
  for (answer.bound = lower; answer.bound < upper; ++answer.bound) {
    const std::optional<bool> isFeasible =
        search.isFeasible(static_cast<int64_t>(answer.bound));
    answer.states = search.numStates();
    if (!isFeasible) break;
    if (*isFeasible) {
      answer.order = search.order();
      break;
    }
  }
  return answer;
}

}  // namespace sbp::schedule
