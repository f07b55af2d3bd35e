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

  /// Whether a mesh axis splits the loop.
  virtual bool isSplit(int64_t loop) = 0;

  /// Returns the first iteration of this rank's part, as a tensor<i64>. It is a
  /// value in the program, as ranks with different parts may share a program.
  virtual Value beginOf(int64_t loop) = 0;
};

/// Returns a copy of `op` with other operands and result types. The encodings
/// of the operands' types may be any.
Operation* cloneAtTypes(OpBuilder& builder, Operation* op, ValueRange operands,
                        TypeRange results);

/// Verifies the constraints on the placements of `op`, a
/// DistributedOpInterface, which SbpDialect.td lists.
LogicalResult verifyPlacements(Operation* op);

/// Returns the loops of `op`, a DistributedOpInterface. If `op` is also a
/// CommunicatingOpInterface, they include its communicating signatures. The
/// result refers to `op`, which must outlive it.
LoopNest loopNestOf(Operation* op);

/// Returns the signature of `op` on each axis of its mesh. `nest` are the loops
/// of `op`, whose types must be placed and verified.
SmallVector<Signature, 3> signaturesOn(Operation* op, const LoopNest& nest);

/// Returns the loop that each axis of the mesh splits, or kNoLoop.
SmallVector<int64_t, 3> splitLoopsOf(ArrayRef<Signature> perAxis);

/// Returns pointers to the elements of `perAxis`, for LoopNest and
/// CommunicatingOpInterface.
SmallVector<const Signature*, 3> pointersTo(ArrayRef<Signature> perAxis);

/// Whether the op itself communicates on some axis.
bool communicates(ArrayRef<Signature> perAxis);

/// Fails if the signatures of `op`, which is placed, cannot be combined on
/// `mesh`: if a loop is split into parts of different sizes although it is
/// `evenOnly`, or if communicating signatures exclude each other.
/// (verifyPlacements cannot check this, as it does not know the sizes of the
/// mesh's axes.)
LogicalResult verifyOnMesh(Operation* op, const Mesh& mesh);

}  // namespace sbp

#include "dialects/sbp/SbpInterfaces.h.inc"

#endif  // DIALECTS_SBP_DISTRIBUTEDOP_H_
