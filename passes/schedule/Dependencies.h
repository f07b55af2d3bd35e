// The tasks that each task of a table waits for.
//
//   forward        F of the stage before
//   recomputation  F of the same stage
//   backward, or   F of the same stage, its recomputation if there is one, and
//   b. of inputs   the backward (of inputs) of the next stage
//   b. of weights  the backward of inputs of the same stage
//   reduction      all gradients of its micro-batches on the same worker
//   update         all gradients of its micro-batches on all workers, and the
//                  stage's reductions of these gradients
//
// These rules hold for each part of a micro-batch that the task covers. In
// addition, a task waits for the previous task in its worker's list. No other
// file has these rules; checks and simulation use this class.

#ifndef PASSES_SCHEDULE_DEPENDENCIES_H_
#define PASSES_SCHEDULE_DEPENDENCIES_H_

#include <cstdint>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "passes/schedule/Table.h"

namespace sbp::schedule {

/// The tasks of a table, numbered worker by worker in the order of their lists,
/// and the tasks for which each of them waits. Takes time and memory
/// proportional to the number of tasks and of waits.
class Dependencies {
 public:
  /// Finds the dependencies of `table`, which must be complete (Completeness.h)
  /// and must outlive this object. Ignores step offsets, as if all tasks were
  /// of one step. To distinguish steps, pass the result of unrolled()
  /// (Table.h).
  explicit Dependencies(const Table& table);

  const Table& table() const { return table_; }
  int64_t numTasks() const { return static_cast<int64_t>(tasks_.size()); }
  const Task& task(int64_t number) const { return *tasks_[number]; }
  int64_t workerOf(int64_t number) const { return workers_[number]; }

  /// Returns the number of a worker's first task. The worker's tasks are
  /// firstOf(worker), ..., firstOf(worker + 1) - 1.
  int64_t firstOf(int64_t worker) const { return firsts_[worker]; }

  /// Returns the tasks for which `number` waits, except the previous task of
  /// its worker.
  llvm::ArrayRef<int64_t> before(int64_t number) const {
    return llvm::ArrayRef<int64_t>(before_).slice(
        ends_[number], ends_[number + 1] - ends_[number]);
  }

  /// Returns the number of the previous task of the same worker; -1 for a
  /// worker's first task.
  int64_t previous(int64_t number) const {
    return number == firsts_[workers_[number]] ? -1 : number - 1;
  }

 private:
  const Table& table_;
  std::vector<const Task*> tasks_;
  std::vector<int64_t> workers_;  // by task
  std::vector<int64_t> firsts_;   // by worker; then the number of tasks
  // Task t waits for before_[ends_[t]], ..., before_[ends_[t + 1] - 1].
  std::vector<int64_t> ends_;
  std::vector<int64_t> before_;
};

/// Returns an order in which all tasks can be run. Each task comes after the
/// tasks for which it waits, and after the previous task of its worker. Tasks
/// that are in a cycle of waits, or wait for such a task, are left out.
std::vector<int64_t> executionOrder(const Dependencies& dependencies);

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_DEPENDENCIES_H_
