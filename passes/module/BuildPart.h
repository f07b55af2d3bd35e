// Builds the op, or the values, that stand for an op on a rank or in a
// micro-batch, and checks them.
//
// The methods that build them belong to the op, which a plug-in may define. So
// their results are checked before anything relies on them.

#ifndef PASSES_MODULE_BUILDPART_H_
#define PASSES_MODULE_BUILDPART_H_

#include "dialects/sbp/DistributedOp.h"
#include "dialects/support/LLVM.h"

namespace sbp {

/// Returns the op that `op` builds by buildLocal() on `operands`. Fails, with
/// an error at `op`, in these cases: there is no op; it is not in the block in
/// which `builder` inserts; its result types are not `results`; an op that was
/// built uses a value of another function.
FailureOr<Operation*> buildLocalPart(DistributedOpInterface op,
                                     OpBuilder& builder, ValueRange operands,
                                     TypeRange results, Shard& shard);

/// Returns the values that `op` builds by buildCommunicating() on `operands`,
/// for the signatures `perAxis` of `nest`. Fails, with an error at `op`, if
/// their types are not `results`, or if an op that was built uses a value of
/// another function.
FailureOr<SmallVector<Value>> buildCommunicatingPart(
    CommunicatingOpInterface op, const LoopNest& nest, const Mesh& mesh,
    ArrayRef<Signature> perAxis, OpBuilder& builder, ValueRange operands,
    TypeRange results, Shard& shard);

}  // namespace sbp

#endif  // PASSES_MODULE_BUILDPART_H_
