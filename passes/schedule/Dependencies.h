// What must have been before each task of a table.
//
//   forward        F of the stage before
//   recomputation  F of the same stage
//   backward, or   F of the same stage, its recomputation if there is one, and
//   b. of inputs   the backward (of inputs) of the stage behind
//   b. of weights  the backward of inputs of the same stage
//   reduction      all gradients of its micro-batches on the same worker
//   update         all gradients of its micro-batches on all workers, and the
//                  stage's reductions of them
//
// all for each part of a micro-batch that the task covers. Beside that a task
// waits for the one before it in its worker's list. This is the only place that
// knows the rules; the checker and the simulator read them here.

#ifndef PASSES_SCHEDULE_DEPENDENCIES_H_
#define PASSES_SCHEDULE_DEPENDENCIES_H_

#include <cstdint>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "passes/schedule/Table.h"

namespace sbp::schedule {

/// The tasks of a table with numbers, worker by worker in order, and what each
/// waits for. Takes time and memory in proportion to both.
class Dependencies {
 public:
  /// `table` is complete (Completeness.h), and outlives this. What reaches back
  /// counts as if it were of the same step: `unrolled` tells steps apart.
  explicit Dependencies(const Table& table);

  const Table& table() const { return table_; }
  int64_t numTasks() const { return static_cast<int64_t>(tasks_.size()); }
  const Task& task(int64_t number) const { return *tasks_[number]; }
  int64_t workerOf(int64_t number) const { return workers_[number]; }

  /// The numbers of a worker's tasks are firstOf(worker) to, exclusively,
  /// firstOf(worker + 1).
  int64_t firstOf(int64_t worker) const { return firsts_[worker]; }

  /// The tasks that `number` waits for, other than the one before it on its
  /// worker.
  llvm::ArrayRef<int64_t> before(int64_t number) const {
    return llvm::ArrayRef<int64_t>(before_).slice(
        ends_[number], ends_[number + 1] - ends_[number]);
  }

  /// The number of the task before on the same worker; -1 for its first.
  int64_t previous(int64_t number) const {
    return number == firsts_[workers_[number]] ? -1 : number - 1;
  }

 private:
  const Table& table_;
  std::vector<const Task*> tasks_;
  std::vector<int64_t> workers_;  // by task
  std::vector<int64_t> firsts_;   // by worker, and the end
  std::vector<int64_t> ends_;     // in before_: 0, then by task
  std::vector<int64_t> before_;
};

/// An order in which all tasks can be run: each stands behind what it waits for
/// and behind the one before it on its worker. Shorter than the number of tasks
/// if some wait for one another: these are left out.
std::vector<int64_t> executionOrder(const Dependencies& dependencies);

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_DEPENDENCIES_H_
