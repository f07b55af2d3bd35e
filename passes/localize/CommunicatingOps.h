// The cost of an op that communicates itself (CommunicatingOpInterface).
//
// Such an op does not state its cost. Instead, a program that consists of this
// op is localized like any other program. The cost is derived from the result:
// the time that each local op computes, the bytes that each collective sends,
// and the memory that is needed in between. So the cost of a plug-in's op
// always matches what the op does.

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

/// The cost of equal collectives of one op.
struct CollectiveGroupCost {
  std::string name;              // "halo_exchange"
  SmallVector<int64_t, 3> axes;  // mesh axes
  /// Bytes of the tensor on a member, before or after the collective, whichever
  /// is larger. For a halo exchange, bytes of the halo.
  double bytes = 0;
  int64_t number = 0;  // number of collectives in one execution of the op
  SmallVector<LevelTraffic, 3> traffic;  // of each collective

  double seconds() const {  // of all these collectives
    return static_cast<double>(number) * secondsOf(traffic);
  }
};

/// The cost of one execution of an op on the last rank of the mesh. No rank has
/// larger parts.
struct CommunicatingOpCost {
  double computing = 0;  // seconds
  std::vector<CollectiveGroupCost> collectives;
  /// Largest number of bytes that the op needs at once in addition to its
  /// operands and results.
  double workingBytes = 0;

  /// Returns the seconds of all collectives.
  double communicating() const;
};

/// The costs, on one mesh, of ops that communicate themselves. Each combination
/// of types and attributes is localized once.
class CommunicatingOps {
 public:
  /// Constructs costs of ops on devices like `device`, which must outlive this
  /// object.
  CommunicatingOps(const Mesh& mesh, const Device& device)
      : mesh_(mesh),
        transitions_(PlacedOp::transitionsOn(mesh)),
        device_(device) {}

  /// Returns the cost of `op` with its operands and results in the given
  /// placements. The result is valid as long as this object. The types of `op`
  /// itself may be placed or not. The placements must form signatures that can
  /// be combined (LoopNest::canCombine), and at least one signature must
  /// communicate.
  ///
  /// Emits an error at the first op that cannot be localized. From then on, the
  /// cost of every new op is zero.
  const CommunicatingOpCost& costOf(Operation* op, ArrayRef<Placement> operands,
                                    ArrayRef<Placement> results);

  /// Fails if costOf() could not localize an op.
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
