// Finds the groups of element-wise ops in a function that one kernel each is to
// compute (Passes.td says which).

#ifndef CODEGEN_FUSE_FUSIONGROUPS_H_
#define CODEGEN_FUSE_FUSIONGROUPS_H_

#include <memory>
#include <vector>

#include "codegen/fuse/ArgumentLives.h"
#include "codegen/fuse/FusionGroup.h"
#include "codegen/fuse/TensorLives.h"
#include "llvm/ADT/DenseMap.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sbp {

class FusionGroups {
 public:
  /// Finds the groups of `function`, which has one block. `arguments` knows how
  /// long its arguments live, and must outlive the object.
  FusionGroups(mlir::func::FuncOp function, const ArgumentLives& arguments);

  /// Returns the groups, in the order in which they run, each once. A group may
  /// have a single op.
  std::vector<const FusionGroup*> all() const;

 private:
  /// Joins groups with that of `op` as long as that is possible.
  void growGroupOf(Operation* op);
  /// Returns the groups that make operands of `group`, or use them as well, and
  /// run before; the latest first.
  SmallVector<const FusionGroup*> candidatesFor(const FusionGroup& group) const;
  /// Whether `earlier` may be moved to `later`, to be computed by one kernel,
  /// `joined`.
  bool canJoin(const FusionGroup& earlier, const FusionGroup& later,
               const FusionGroup& joined) const;
  /// Whether the program then needs no more memory at any time.
  bool keepsMemory(const FusionGroup& earlier, const FusionGroup& later,
                   const FusionGroup& joined, const TensorLives& lives) const;
  /// Whether an op with a task of its own runs between the two groups.
  bool hasTaskBetween(const FusionGroup& earlier,
                      const FusionGroup& later) const;

  const FusionGroup* groupOf(Operation* op) const;
  /// Returns the position at which `op` runs: that of its group, if it is in
  /// one.
  int64_t positionOf(Operation* op) const;

  const ArgumentLives& arguments_;
  std::vector<Operation*> ops_;                    // of the block, in order
  llvm::DenseMap<Operation*, int64_t> positions_;  // by op, in the block
  llvm::DenseMap<Operation*, std::shared_ptr<FusionGroup>> groups_;
};

}  // namespace sbp

#endif  // CODEGEN_FUSE_FUSIONGROUPS_H_
