// Finds groups of element-wise ops in a function, to compute each group by one
// kernel. Passes.td has the conditions.

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

/// The fusion groups of one function.
class FusionGroups {
 public:
  /// Finds the groups of `function`, which has one block. `arguments` knows how
  /// long the arguments of `function` live, and must outlive this object.
  FusionGroups(mlir::func::FuncOp function, const ArgumentLives& arguments);

  /// Returns the groups, in the order in which they run, each once. A group may
  /// have a single op.
  std::vector<const FusionGroup*> all() const;

 private:
  /// Joins earlier groups to the group of `op` until none can be joined.
  void growGroupOf(Operation* op);
  /// Returns the groups that run before `group` and either compute one of its
  /// inputs or have an input in common with it, the latest first. A common
  /// input that is broadcast does not count.
  SmallVector<const FusionGroup*> candidatesFor(const FusionGroup& group) const;
  /// Whether `earlier` may move to the position of `later`, where one kernel
  /// computes both groups as `joined`.
  bool canJoin(const FusionGroup& earlier, const FusionGroup& later,
               const FusionGroup& joined) const;
  /// Whether the program needs no more memory at any time if `joined` replaces
  /// both groups.
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
  std::vector<Operation*> ops_;                    // the ops of the block
  llvm::DenseMap<Operation*, int64_t> positions_;  // by op, in the block
  llvm::DenseMap<Operation*, std::shared_ptr<FusionGroup>> groups_;
};

}  // namespace sbp

#endif  // CODEGEN_FUSE_FUSIONGROUPS_H_
