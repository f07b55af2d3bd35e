// What the program of a rank costs, read off its ops.
//
// The search prices plans before there is any program; this prices the program
// that came out, op by op. That both say the same is a test (the audit), so
// that what is optimised is what runs.

#ifndef PASSES_COST_LOCALCOST_H_
#define PASSES_COST_LOCALCOST_H_

#include "dialects/rank/Rank.h"
#include "dialects/sbp/Algebra.h"
#include "dialects/sbp/Device.h"
#include "dialects/support/LLVM.h"
#include "passes/cost/Collectives.h"

namespace sbp {

/// The price of a collective within one run of an entry.
struct CollectiveCost {
  Operation* op;
  double times;                  // how often it runs
  SmallVector<int64_t, 3> axes;  // of the mesh
  /// That a member holds where it holds most; of a halo exchange, of the halo.
  double bytes;
  /// Of one time; in a bucket, its part of what that sends.
  SmallVector<LevelTraffic, 3> traffic;
  double seconds;  // of all of them
};

/// The collectives that run when `entry` of `program` runs once, in the order
/// in which they stand, functions after their callers; `mesh` is the program's.
SmallVector<CollectiveCost> collectiveCosts(rank::ProgramOp program,
                                            StringRef entry, const Mesh& mesh);

/// What a device like `device` computes when `entry` of `program` runs once, in
/// seconds.
double computingSeconds(rank::ProgramOp program, StringRef entry,
                        const Device& device);

}  // namespace sbp

#endif  // PASSES_COST_LOCALCOST_H_
