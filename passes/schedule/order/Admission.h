// The memory that workers keep while tasks run, and which forwards may start.

#ifndef PASSES_SCHEDULE_ORDER_ADMISSION_H_
#define PASSES_SCHEDULE_ORDER_ADMISSION_H_

#include <cstdint>
#include <vector>

#include "passes/schedule/order/TaskGraph.h"

namespace sbp::schedule {

/// The memory that workers keep, and the micro-batches in flight, after some
/// tasks have started and some of them have ended.
class Admission {
 public:
  /// `graph` must outlive this object.
  explicit Admission(const TaskGraph& graph);

  /// Whether `task` fits into its worker's room, and, if it is a forward,
  /// whether the batches in flight could then still be completed one after the
  /// other.
  bool admits(int64_t task);

  /// Whether each task of `worker` that acquires memory acquires as much as
  /// each task that frees memory frees.
  bool isUniform(int64_t worker) const { return sizes_[worker] > 0; }
  /// Returns how many more tasks that acquire memory a uniform worker has room
  /// for.
  int64_t numThatFit(int64_t worker) const {
    return static_cast<int64_t>((graph_.roomOf(worker) - used_[worker]) /
                                sizes_[worker]);
  }

  void start(int64_t task);
  void end(int64_t task);
  /// Undoes the last start or end that has not been undone. All sums are then
  /// what they were, to the last bit.
  void undo();

 private:
  /// A start or end, with the sums before it.
  struct Change {
    int64_t task = 0;
    bool isForward = false;  // the start of one
    double used = 0, kept = 0, claim = 0;
  };

  bool isSafe() const;
  void change(int64_t task, bool isForward, double memory);

  const TaskGraph& graph_;
  std::vector<double> used_;  // by worker
  /// Memory that each task acquires or frees, if it does; 0 if that differs.
  std::vector<double> sizes_;              // by worker
  std::vector<std::vector<double>> kept_;  // by batch, worker
  /// Memory that the forwards of a batch that have not started acquire.
  std::vector<std::vector<double>> claims_;  // by batch, worker
  std::vector<int64_t> numForwards_;         // started, by batch
  std::vector<Change> changes_;
};

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_ORDER_ADMISSION_H_
