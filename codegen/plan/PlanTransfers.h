// The transfers of a plan's entries, collected from the tasks that run them.

#ifndef CODEGEN_PLAN_PLANTRANSFERS_H_
#define CODEGEN_PLAN_PLANTRANSFERS_H_

#include <vector>

#include "codegen/plan/PlanGroups.h"
#include "codegen/plan/TaskList.h"
#include "dialects/rank/Rank.h"
#include "dialects/support/LLVM.h"
#include "runtime/plan/Plan.h"

namespace sbp {

/// Collects the transfers of each entry from all programs, and numbers them.
class PlanTransfers {
 public:
  explicit PlanTransfers(PlanGroups& groups) : groups_(groups) {}

  /// Adds the transfers that tasks of `list` send or receive, and how often
  /// each of them takes place in a run of the entry. `list` has the tasks of
  /// the entry of index `entry` in one program. Fails with a diagnostic at a
  /// transfer whose element type plans do not have or whose mesh is not
  /// defined.
  LogicalResult add(size_t entry, const TaskList& list);

  /// Returns the index, among the transfers of `entry`, of the transfer that
  /// `op` names. `op` is a send or a receive of a list that was added.
  int64_t numberOf(size_t entry, Operation* op) const;

  /// Moves the transfers of `entry` out of this object.
  std::vector<plan::Transfer> take(size_t entry);

 private:
  /// The transfers of one entry, and their indices.
  struct EntryTransfers {
    llvm::DenseMap<Operation*, int64_t> numbers;  // by rank.transfer
    std::vector<plan::Transfer> transfers;
  };

  PlanGroups& groups_;
  std::vector<EntryTransfers> entries_;
};

}  // namespace sbp

#endif  // CODEGEN_PLAN_PLANTRANSFERS_H_
