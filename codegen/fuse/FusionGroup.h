// A group of element-wise ops that one kernel computes.
//
// A group runs where its last op stands, so its other ops move there. Its
// inputs are the tensors from outside that its ops use; its results are those
// that ops outside use. Constants of one repeated element are no inputs: the
// kernel has their numbers.

#ifndef CODEGEN_FUSE_FUSIONGROUP_H_
#define CODEGEN_FUSE_FUSIONGROUP_H_

#include <cstdint>

#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

namespace sbp {

/// Whether `op` is an nn.constant of one repeated element.
bool isSplatConstant(Operation* op);

class FusionGroup {
 public:
  /// Makes a group of one op, which stands at `position` in its block.
  FusionGroup(Operation* op, int64_t position);

  /// Returns the group of all ops of `one` and `other`. It runs where the later
  /// of both does.
  FusionGroup(const FusionGroup& one, const FusionGroup& other);

  /// Whether an op can be in a group: it is element-wise, is no rank.fused, and
  /// has an operand that is no constant.
  static bool takes(Operation* op);

  /// Returns the ops, in the order of their block.
  ArrayRef<Operation*> ops() const { return ops_; }
  ArrayRef<Value> inputs() const { return inputs_; }
  ArrayRef<Value> results() const { return results_; }

  /// Position in the block at which the group runs.
  int64_t position() const { return positions_.back(); }

  /// Shape of all results.
  ArrayRef<int64_t> shape() const;

  bool contains(Operation* op) const;

  /// Finds inputs and results again, after their makers and users have changed.
  void findTensors();

  /// Whether a kernel of its own for the group is worthwhile: there are several
  /// ops, or constants.
  bool isWorthwhile() const;

  /// Returns the extent of the innermost loop of the kernel.
  int64_t innermostExtent() const;

 private:
  SmallVector<Operation*> ops_;
  SmallVector<int64_t> positions_;  // by op
  SmallVector<Value> inputs_, results_;
};

}  // namespace sbp

#endif  // CODEGEN_FUSE_FUSIONGROUP_H_
