// A group of element-wise ops that one kernel computes.
//
// A group runs where its last op stands, so its other ops move there. Its
// inputs are the tensors from outside that its ops use; its results are the
// tensors of its ops that an op outside uses, or that no op uses. Constants of
// one repeated element are not inputs: they are part of the kernel.

#ifndef CODEGEN_FUSE_FUSIONGROUP_H_
#define CODEGEN_FUSE_FUSIONGROUP_H_

#include <cstdint>

#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

namespace sbp {

/// Whether `op` is an nn.constant of one repeated element.
bool isSplatConstant(Operation* op);

/// A group of ops of one block.
class FusionGroup {
 public:
  /// Makes a group of one op, which stands at `position` in its block.
  FusionGroup(Operation* op, int64_t position);

  /// Makes the group of all ops of `one` and `other`, which runs where the
  /// later of the two groups runs.
  FusionGroup(const FusionGroup& one, const FusionGroup& other);

  /// Whether an op can be in a group: it is element-wise, is not a rank.fused,
  /// and has an operand that is no splat constant (isSplatConstant).
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

  /// Finds inputs and results again, after ops that make or use them have
  /// changed.
  void findTensors();

  /// Whether it pays to fuse the group: it has several ops, or constants that
  /// become part of the kernel.
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
