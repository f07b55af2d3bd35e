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

/// Fails with a diagnostic at `op` unless `nest` obeys the rules for the loops
/// of `op`:
///
///   - There are operands or results, and all are ranked tensors. Each has its
///     TensorLoops, with an existing loop or kNoLoop per dimension. Extents are
///     at least 0, and FLOPs are a finite number that is not negative.
///   - A loop that may be split runs over at most one dimension of a tensor.
///     The dimension has the loop's extent, or a multiple of it if the loop is
///     `evenOnly`: then an iteration has several elements. A Whole loop may run
///     over anything.
///   - A Parallel loop runs over a dimension of every result.
///   - A partial pass lists one or more operands, each once.
///   - Communicating signatures have a component per operand and result; Split
///     components are along dimensions that exist. Each such signature names a
///     loop that may be split.
///   - Signatures that split different loops have different components, because
///     passes recognise by the placements which loop is split.
LogicalResult verifyLoopNest(Operation* op, const LoopNest& nest);

/// Verifies the constraints of SbpDialect.td on `op`, a DistributedOpInterface:
/// C4 on its loops and, if any of its types is placed, C1 to C3 on its types.
/// Fails also if `op` is pinned to a signature that it does not have.
LogicalResult verifyDistributed(Operation* op);

/// Returns the LoopNest of `op`, a DistributedOpInterface. If `op` is also a
/// CommunicatingOpInterface, adds its communicating signatures. The result
/// refers to `op`, so `op` must outlive it.
LoopNest loopNestOf(Operation* op);

/// Whether two signatures have the same components.
bool isSame(const Signature& one, const Signature& other);

/// Returns the signature of `op` on each axis of its mesh. `nest` must be
/// loopNestOf(op); the types of `op` must be placed and verified.
SmallVector<Signature, 3> signaturesPerAxis(Operation* op,
                                            const LoopNest& nest);

/// Returns the signatures to which `op` is pinned (kSignatureAttrName, Sbp.h),
/// one per mesh axis. Returns an empty list if `op` is not pinned. `nest` must
/// be loopNestOf(op), and `op` verified.
SmallVector<Signature, 3> pinnedSignatures(Operation* op, const LoopNest& nest);

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
/// signatures. (verifyDistributed cannot check this, because it does not know
/// the sizes of the mesh's axes.)
LogicalResult verifyOnMesh(Operation* op, const Mesh& mesh);

/// Fails in the same cases if `op` is to run by the signatures `perAxis`, one
/// per axis of `mesh`. `nest` must be loopNestOf(op).
LogicalResult verifyOnMesh(Operation* op, const LoopNest& nest,
                           const Mesh& mesh, ArrayRef<Signature> perAxis);

}  // namespace sbp

#include "dialects/sbp/SbpInterfaces.h.inc"

#endif  // DIALECTS_SBP_DISTRIBUTEDOP_H_
