// The transfers of a plan's entries, as tasks that run them are found.

#ifndef CODEGEN_PLAN_PLANTRANSFERS_H_
#define CODEGEN_PLAN_PLANTRANSFERS_H_

#include <vector>

#include "codegen/plan/PlanGroups.h"
#include "codegen/plan/TaskList.h"
#include "dialects/rank/Rank.h"
#include "dialects/support/LLVM.h"
#include "runtime/plan/Plan.h"

namespace sbp {

class PlanTransfers {
 public:
  explicit PlanTransfers(PlanGroups& groups) : groups_(groups) {}

  /// Adds those that `list`, tasks of entry number `entry` in one program, has
  /// an end of, with how often they run. Fails with a diagnostic at a tensor
  /// that plans do not know.
  LogicalResult add(size_t entry, const TaskList& list);

  /// The number among the transfers of `entry` of the one that `op`, a send or
  /// a receive that was added, names.
  int64_t numberOf(size_t entry, Operation* op) const;

  /// Those of `entry`.
  std::vector<plan::Transfer> take(size_t entry);

 private:
  struct OfEntry {
    llvm::DenseMap<Operation*, int64_t> numbers;  // by rank.transfer
    std::vector<plan::Transfer> transfers;
  };

  PlanGroups& groups_;
  std::vector<OfEntry> entries_;
};

}  // namespace sbp

#endif  // CODEGEN_PLAN_PLANTRANSFERS_H_
