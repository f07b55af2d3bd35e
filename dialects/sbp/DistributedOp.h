// The interface of ops that can be distributed: they declare a LoopNest.

#ifndef DIALECTS_SBP_DISTRIBUTEDOP_H_
#define DIALECTS_SBP_DISTRIBUTEDOP_H_

#include "dialects/sbp/LoopNest.h"
#include "dialects/support/LLVM.h"
#include "mlir/IR/OpDefinition.h"

namespace sbp {

/// The part of each loop of an op that a rank runs, for
/// DistributedOpInterface::buildLocal.
class Shard {
 public:
  virtual ~Shard() = default;

  /// Whether a mesh axis of more than one device splits the loop.
  virtual bool isSplit(int64_t loop) = 0;

  /// Returns the first iteration of this rank's part of the loop, as a
  /// tensor<i64>. The iteration is computed by the program, because ranks with
  /// different parts may share a program.
  virtual Value beginOf(int64_t loop) = 0;
};

/// Returns a copy of `op`, which has no regions, with the operands `operands`
/// and the result types `results`. Inserts the copy at `builder`. The types may
/// be placed or local.
Operation* cloneWithTypes(OpBuilder& builder, Operation* op,
                          ValueRange operands, TypeRange results);

/// Verifies constraints C1 to C3 of SbpDialect.td on the types of `op`, a
/// DistributedOpInterface. Succeeds if none of the types is placed.
LogicalResult verifyPlacements(Operation* op);

/// Returns the LoopNest of `op`, a DistributedOpInterface. If `op` is also a
/// CommunicatingOpInterface, adds its communicating signatures. The result
/// refers to `op`, so `op` must outlive it.
LoopNest loopNestOf(Operation* op);

/// Returns the signature of `op` on each axis of its mesh. `nest` must be
/// loopNestOf(op); the types of `op` must be placed and verified.
SmallVector<Signature, 3> signaturesPerAxis(Operation* op,
                                            const LoopNest& nest);

/// Returns, per mesh axis, the loop that the axis splits, or kNoLoop.
SmallVector<int64_t, 3> splitLoopsOf(ArrayRef<Signature> perAxis);

/// Returns pointers to the elements of `perAxis`, the form that
/// LoopNest::canCombine and CommunicatingOpInterface take.
SmallVector<const Signature*, 3> pointersTo(ArrayRef<Signature> perAxis);

/// Whether at least one signature communicates.
bool communicates(ArrayRef<Signature> perAxis);

/// Fails with a diagnostic if the signatures of `op`, which is placed, cannot
/// be combined on `mesh`: if a loop is split into parts of different sizes
/// although it is `evenOnly`, or if canCombine() rejects the communicating
/// signatures. (verifyPlacements cannot check this, because it does not know
/// the sizes of the mesh's axes.)
LogicalResult verifyOnMesh(Operation* op, const Mesh& mesh);

}  // namespace sbp

#include "dialects/sbp/SbpInterfaces.h.inc"

#endif  // DIALECTS_SBP_DISTRIBUTEDOP_H_
