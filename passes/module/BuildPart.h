// The op, or the values, that an op builds for its part on a rank or in a
// micro-batch.
//
// The methods that build them belong to the op, which a plug-in may bring. So
// what they return is checked before anything relies on it.

#ifndef PASSES_MODULE_BUILDPART_H_
#define PASSES_MODULE_BUILDPART_H_

#include "dialects/sbp/DistributedOp.h"
#include "dialects/support/LLVM.h"

namespace sbp {

/// Returns the op that `op` builds by buildLocal() on `operands`. Fails after
/// an error at `op` unless it is an op of the block in which `builder` inserts,
/// with the result types `results`, or if an op that is built uses a value of
/// another function.
FailureOr<Operation*> buildLocalPart(DistributedOpInterface op,
                                     OpBuilder& builder, ValueRange operands,
                                     TypeRange results, Shard& shard);

/// Returns the values that `op` builds by buildCommunicating() on `operands`,
/// for the signatures `perAxis` of `nest`. Fails after an error at `op` unless
/// they have the types `results`, or if an op that is built uses a value of
/// another function.
FailureOr<SmallVector<Value>> buildCommunicatingPart(
    CommunicatingOpInterface op, const LoopNest& nest, const Mesh& mesh,
    ArrayRef<Signature> perAxis, OpBuilder& builder, ValueRange operands,
    TypeRange results, Shard& shard);

}  // namespace sbp

#endif  // PASSES_MODULE_BUILDPART_H_
