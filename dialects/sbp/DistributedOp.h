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

/// The loops of `op`, a DistributedOpInterface, with the signatures in which it
/// communicates itself, if it is a CommunicatingOpInterface too. Refers to
/// `op`.
LoopNest loopNestOf(Operation* op);

/// The signature that `op` has on each axis of its mesh, of the loops `nest`.
/// Its types are placed legally.
SmallVector<Signature, 3> signaturesOn(Operation* op, const LoopNest& nest);

/// The loop that each axis of the mesh splits, or kNoLoop.
SmallVector<int64_t, 3> splitLoopsOf(ArrayRef<Signature> perAxis);

/// `perAxis`, as LoopNest and CommunicatingOpInterface take it.
SmallVector<const Signature*, 3> pointersTo(ArrayRef<Signature> perAxis);

/// Whether the op communicates itself on some axis.
bool communicates(ArrayRef<Signature> perAxis);

/// Fails at a placed op whose signatures do not go together on `mesh`: it cuts
/// a loop into unequal parts where only equal ones are possible, or
/// communicates itself in ways that exclude each other. (verifyPlacements
/// cannot know: it takes the mesh's sizes.)
LogicalResult verifyOnMesh(Operation* op, const Mesh& mesh);

}  // namespace sbp

#include "dialects/sbp/SbpInterfaces.h.inc"

#endif  // DIALECTS_SBP_DISTRIBUTEDOP_H_
