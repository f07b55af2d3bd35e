// The cost of a rank's program, derived from its ops.
//
// The search prices a plan before there is a program. The functions below price
// the finished program, op by op. A test checks that both prices agree, so that
// the search optimises the program that runs.

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
  /// Bytes of the tensor on a member, before or after the collective, whichever
  /// is larger. For a halo exchange, bytes of the halo.
  double bytes;
  /// Traffic of one execution; for a collective in a bucket, its share of the
  /// bucket's traffic.
  SmallVector<LevelTraffic, 3> traffic;
  double seconds;  // of all executions
};

/// Returns the costs of the collectives that run when `entry` of `program` runs
/// once. Collectives of one function are in program order; each function comes
/// after its callers. `mesh` must be the mesh of `program`, and no op may refer
/// to another mesh by rank.group.
SmallVector<CollectiveCost> collectiveCosts(rank::ProgramOp program,
                                            StringRef entry, const Mesh& mesh);

/// Returns the seconds that a device like `device` computes when `entry` of
/// `program` runs once. Only ops with a LoopNest and fused ops count. A
/// rank.fused costs the FLOPs of the ops inside, and the bytes of its own
/// operands and results.
double computingSeconds(rank::ProgramOp program, StringRef entry,
                        const Device& device);

/// Returns the seconds that a device like `device` computes when `op`, an op of
/// a rank program, runs once.
double computingSeconds(Operation* op, const Device& device);

}  // namespace sbp

#endif  // PASSES_COST_LOCALCOST_H_
