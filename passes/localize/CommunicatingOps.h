// The cost of an op that communicates itself (CommunicatingOpInterface).
//
// Such an op does not state its cost. Instead, a program of that op alone is
// localized like a whole program. The cost is derived from the result: the time
// that each local op computes, the bytes that each collective sends, and the
// memory needed in between. So the cost of a plug-in's op always matches what
// the op does.

#ifndef PASSES_LOCALIZE_COMMUNICATINGOPS_H_
#define PASSES_LOCALIZE_COMMUNICATINGOPS_H_

#include <map>
#include <string>
#include <vector>

#include "dialects/sbp/Algebra.h"
#include "dialects/sbp/Device.h"
#include "dialects/support/LLVM.h"
#include "passes/boxing/GroupTransitions.h"
#include "passes/cost/Collectives.h"
#include "passes/localize/PlacedOp.h"
#include "passes/module/OpKey.h"

namespace sbp {

/// The cost of the collectives of one op that are alike.
struct CollectiveGroupCost {
  std::string name;              // "halo_exchange"
  SmallVector<int64_t, 3> axes;  // mesh axes
  /// Bytes of the tensor on a member, before or after, whichever is larger; for
  /// a halo exchange, the bytes of the halo.
  double bytes = 0;
  int64_t number = 0;  // number of collectives in one execution of the op
  SmallVector<LevelTraffic, 3> traffic;  // of each collective

  double seconds() const {  // of all these collectives
    return static_cast<double>(number) * secondsOf(traffic);
  }
};

/// The cost of one execution of an op on the rank with the largest parts, which
/// is the last rank of the mesh.
struct CommunicatingOpCost {
  double computing = 0;  // seconds
  std::vector<CollectiveGroupCost> collectives;
  /// Most bytes of memory that the op needs in addition to its operands and
  /// results.
  double workingBytes = 0;

  /// Returns the seconds of all collectives.
  double communicating() const;
};

/// The costs of ops that communicate themselves, on one mesh. Each op is
/// localized once per combination of types and attributes.
class CommunicatingOps {
 public:
  /// Uses `device`, which must outlive this object.
  CommunicatingOps(const Mesh& mesh, const Device& device)
      : mesh_(mesh),
        transitions_(PlacedOp::transitionsOn(mesh)),
        device_(device) {}

  /// Returns the cost of `op` with operands and results in these placements;
  /// valid as long as this object. `op` itself may be placed or not. The
  /// placements must form signatures that can be combined
  /// (LoopNest::canCombine); at least one must communicate. After the first op
  /// that cannot be localized, with an error at it, all new costs are zero.
  const CommunicatingOpCost& costOf(Operation* op, ArrayRef<Placement> operands,
                                    ArrayRef<Placement> results);

  /// Fails if an op could not be localized, so that its cost is not known.
  LogicalResult status() const { return status_; }

 private:
  Mesh mesh_;
  GroupTransitions transitions_;
  const Device& device_;
  std::map<OpKey, CommunicatingOpCost> costs_;  // by placed types
  LogicalResult status_ = success();
};

}  // namespace sbp

#endif  // PASSES_LOCALIZE_COMMUNICATINGOPS_H_
