// The cost of a rank's program, derived from its ops.
//
// The search prices a plan before there is a program. The functions below price
// the finished program, op by op. A test checks that both prices agree: then
// the program that runs is the one that was optimised.

#ifndef PASSES_COST_LOCALCOST_H_
#define PASSES_COST_LOCALCOST_H_

#include "dialects/rank/Rank.h"
#include "dialects/sbp/Algebra.h"
#include "dialects/sbp/Device.h"
#include "dialects/support/LLVM.h"
#include "passes/cost/Collectives.h"

namespace sbp {

/// The cost of a collective op in one run of an entry.
struct CollectiveCost {
  Operation* op;
  double times;                  // number of executions
  SmallVector<int64_t, 3> axes;  // indices of mesh axes
  /// Bytes of the tensor on a member, before or after, whichever is larger; for
  /// a halo exchange, the bytes of the halo.
  double bytes;
  /// Traffic of one execution; for a collective in a bucket, its share of the
  /// bucket's traffic.
  SmallVector<LevelTraffic, 3> traffic;
  double seconds;  // of all executions
};

/// Returns the costs of the collectives that run when `entry` of `program` runs
/// once: function by function, each after its callers, in program order. `mesh`
/// is the program's mesh; no op of the program may refer to another mesh by
/// rank.group.
SmallVector<CollectiveCost> collectiveCosts(rank::ProgramOp program,
                                            StringRef entry, const Mesh& mesh);

/// Returns the seconds that a device like `device` computes when `entry` of
/// `program` runs once. Only ops with a LoopNest count; collectives do not. A
/// rank.fused costs the FLOPs of its ops, and the bytes of its own operands and
/// results.
double computingSeconds(rank::ProgramOp program, StringRef entry,
                        const Device& device);

/// Returns the seconds that a device like `device` computes when `op`, an op of
/// a rank program, runs once.
double computingSeconds(Operation* op, const Device& device);

}  // namespace sbp

#endif  // PASSES_COST_LOCALCOST_H_
