// The interface of ops that can be distributed: they declare a LoopNest.

#ifndef DIALECTS_SBP_DISTRIBUTEDOP_H_
#define DIALECTS_SBP_DISTRIBUTEDOP_H_

#include "dialects/sbp/LoopNest.h"
#include "dialects/support/LLVM.h"
#include "mlir/IR/OpDefinition.h"

namespace sbp {

/// Which part of an op's loops the rank at hand runs. Given to `buildLocal`.
class Shard {
 public:
  virtual ~Shard() = default;

  /// Whether any mesh axis splits the loop.
  virtual bool isSplit(int64_t loop) = 0;

  /// The first iteration of this rank's part, as a tensor<i64>. Ranks that
  /// share a program may have different parts, so it is a value, not a number.
  virtual Value beginOf(int64_t loop) = 0;
};

/// A copy of `op` with other operands and result types. Encodings of operands
/// do not matter.
Operation* cloneAtTypes(OpBuilder& builder, Operation* op, ValueRange operands,
                        TypeRange results);

/// Verifier of DistributedOpInterface: placements are either absent from all
/// operands and results, or on every mesh axis form a legal signature.
LogicalResult verifyPlacements(Operation* op);

/// The loop that each axis of `mesh` splits, or kNoLoop. The types of `op`,
/// whose loops are `nest`, are placed on `mesh` by a legal signature per axis.
SmallVector<int64_t, 3> splitLoopsOf(Operation* op, const LoopNest& nest,
                                     const Mesh& mesh);

/// Fails at a placed op that cuts a loop into unequal parts where only equal
/// ones are possible. (verifyPlacements cannot know: it takes the mesh's
/// sizes.)
LogicalResult verifyEvenParts(Operation* op, const Mesh& mesh);

}  // namespace sbp

#include "dialects/sbp/SbpInterfaces.h.inc"

#endif  // DIALECTS_SBP_DISTRIBUTEDOP_H_
