// The tasks of an order problem, and what any order of them has in common.
//
// Micro-batches that run the same tasks on the same workers are alike: they are
// of one class. If an order runs their forwards of a stage as 2, 0, 1, renaming
// them 0, 1, 2, kind by kind and stage by stage, changes neither times nor
// memory. So tasks of a class that are alike form a queue, which is run in the
// order of micro-batches, and two more waits hold for some best order:
//
//   queue    a task waits for the task before it in its queue
//   memory   if a worker has room for k micro-batches of a stage, the forward
//            of the (i + k)-th one waits for the last backward of the i-th one
//
// With them, the longest paths from the start of the run to a task (its head)
// and from there to the end of the run (its tail) are bounds of all orders.

#ifndef PASSES_SCHEDULE_ORDER_TASKGRAPH_H_
#define PASSES_SCHEDULE_ORDER_TASKGRAPH_H_

#include <cstdint>
#include <vector>

#include "passes/schedule/order/OrderProblem.h"

namespace sbp::schedule {

/// A wait for `task`: its end, and then `lag` for the message from it.
struct Arc {
  int64_t task = 0;
  double lag = 0;
};

/// Tasks of one kind, stage, worker and class, in the order of micro-batches.
struct TaskQueue {
  int64_t worker = 0;
  Task first;
  std::vector<int64_t> tasks;
};

/// The tasks of a problem, numbered as in Dependencies of its table.
class TaskGraph {
 public:
  /// Builds the graph of `problem`, whose table must have passed `check` and
  /// whose lists must have the right lengths.
  explicit TaskGraph(const OrderProblem& problem);

  int64_t numTasks() const { return static_cast<int64_t>(tasks_.size()); }
  int64_t numWorkers() const { return static_cast<int64_t>(rooms_.size()); }
  const Task& task(int64_t number) const { return tasks_[number]; }
  int64_t workerOf(int64_t number) const { return workers_[number]; }
  double durationOf(int64_t number) const { return durations_[number]; }
  /// Returns the sum of the durations of all tasks.
  double totalDuration() const;
  double acquired(int64_t number) const { return acquired_[number]; }
  double released(int64_t number) const { return released_[number]; }
  double roomOf(int64_t worker) const { return rooms_[worker]; }

  /// The tasks for which `number` waits by Dependencies.h.
  const std::vector<Arc>& before(int64_t number) const {
    return before_[number];
  }
  /// The same, and the waits of queues and of memory.
  const std::vector<Arc>& allBefore(int64_t number) const {
    return allBefore_[number];
  }
  /// All tasks, each after those of allBefore().
  const std::vector<int64_t>& sorted() const { return sorted_; }

  const std::vector<TaskQueue>& queues() const { return queues_; }
  int64_t queueOf(int64_t number) const { return queueOf_[number]; }
  const std::vector<int64_t>& queuesOfWorker(int64_t worker) const {
    return queuesOfWorker_[worker];
  }

  /// Micro-batches that share tasks form a batch, which starts and ends as one.
  /// Returns the batch of a task; -1 for reductions and updates.
  int64_t batchOf(int64_t number) const { return batchOf_[number]; }
  int64_t numBatches() const { return static_cast<int64_t>(claims_.size()); }
  /// Returns the memory that all forwards of `batch` acquire on `worker`: it is
  /// all kept before the first backward.
  double claimOf(int64_t batch, int64_t worker) const {
    return claims_[batch][worker];
  }
  /// Returns the memory that `batch` needs on `worker` if it runs alone.
  double leastOf(int64_t batch, int64_t worker) const {
    return least_[batch][worker];
  }
  /// Whether a worker runs forwards of several queues, so that micro-batches
  /// may keep memory that each needs of the other.
  bool mayDeadlock() const { return mayDeadlock_; }

  /// The longest paths from the start of the run to the start of each task, and
  /// from its end to the end of the run.
  const std::vector<double>& heads() const { return heads_; }
  const std::vector<double>& tails() const { return tails_; }

  /// Returns the table of the problem with these lists of tasks, by worker.
  Table tableOf(const std::vector<std::vector<int64_t>>& lists) const;

 private:
  std::vector<int64_t> classesOfParts() const;
  void addQueues(const std::vector<int64_t>& classOf);
  void addBatches(const OrderProblem& problem);
  void addWaits(const OrderProblem& problem);
  void sort();
  void addPaths();

  Table empty_;  // without tasks
  std::vector<Task> tasks_;
  std::vector<int64_t> workers_, queueOf_, batchOf_, sorted_;  // by task
  std::vector<double> durations_, acquired_, released_, heads_, tails_;
  std::vector<std::vector<Arc>> before_, allBefore_;
  std::vector<TaskQueue> queues_;
  std::vector<std::vector<int64_t>> queuesOfWorker_;
  std::vector<std::vector<double>> claims_, least_;  // by batch, worker
  std::vector<double> rooms_;
  bool mayDeadlock_ = false;
};

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_ORDER_TASKGRAPH_H_
