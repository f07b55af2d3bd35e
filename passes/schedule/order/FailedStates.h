// States of an exact search from which no order ends in time.

#ifndef PASSES_SCHEDULE_ORDER_FAILEDSTATES_H_
#define PASSES_SCHEDULE_ORDER_FAILEDSTATES_H_

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "passes/schedule/order/PipeSymmetry.h"
#include "passes/schedule/order/TaskGraph.h"

namespace sbp::schedule {

/// A state of the search: a point in time, and what has run until then.
struct SearchState {
  int64_t left = 0;                   // time until the deadline
  std::vector<int64_t> begun;         // number of tasks, by queue
  std::vector<int64_t> runningQueue;  // by worker; -1 if the worker is free
  /// Time until the deadline when the worker is free, by worker.
  std::vector<int64_t> leftWhenFree;
};

/// A set of states from which no order ends by the deadline. Another state
/// fails, too, if it has begun as many tasks, has no more time left, and each
/// worker has no more time left when it is free. States that mirror each other
/// are one.
class FailedStates {
 public:
  /// `graph` must outlive this object.
  explicit FailedStates(const TaskGraph& graph);

  /// Whether a failed state shows that `state` fails.
  bool isKnown(const SearchState& state) const;
  void add(const SearchState& state);

 private:
  /// A state of known numbers of begun tasks: the time left, then for each
  /// worker its running queue and the time left when it is free.
  using Entry = std::vector<int32_t>;

  struct NamedState {
    std::string begun;
    Entry entry;
  };

  NamedState named(const SearchState& state) const;
  static bool isWorse(const Entry& state, const Entry& than);

  std::vector<PipeMirror> mirrors_;
  std::vector<std::vector<int64_t>> places_;  // by mirror: of queues
  std::unordered_map<std::string, std::vector<Entry>> failed_;
};

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_ORDER_FAILEDSTATES_H_
