// Prices the ops and movements of a boxed program on one or several meshes, by
// the prices of the machine.

#ifndef PASSES_EXPLAIN_PRICING_H_
#define PASSES_EXPLAIN_PRICING_H_

#include <map>
#include <memory>

#include "dialects/sbp/Device.h"
#include "dialects/sbp/DistributedOp.h"
#include "dialects/sbp/Sbp.h"
#include "dialects/support/LLVM.h"
#include "passes/boxing/GroupTransitions.h"
#include "passes/explain/BoxBuckets.h"
#include "passes/explain/Explanation.h"
#include "passes/localize/CommunicatingOps.h"
#include "passes/module/PlacedTypes.h"

namespace sbp {

/// The prices of ops and movements. Caches prices per op and function, so the
/// program must not change while this object is used.
class Pricing {
 public:
  /// Uses `meshes`, whose devices are like `device`; both must outlive this
  /// object.
  Pricing(const PlacedMeshes& meshes, const Device& device)
      : meshes_(meshes), device_(device), transitions_(meshes) {}

  /// Returns the explanation of an op that is executed `times` times.
  ExplainedOp explain(DistributedOpInterface op, int64_t times);
  /// Returns the explanation of a movement that is executed `times` times.
  ExplainedMovement explain(BoxOp box, int64_t times);

  /// Returns the bytes of a tensor of `type`, a placed type, on the device that
  /// holds most of it.
  double bytesOf(RankedTensorType type) const;

 private:
  const BoxBuckets& bucketsAround(BoxOp box);
  void addOwnCost(Operation* op, mlir::FlatSymbolRefAttr mesh, int64_t times,
                  ExplainedOp& explained);

  const PlacedMeshes& meshes_;
  const Device& device_;
  GroupTransitions transitions_;
  std::map<StringRef, std::unique_ptr<CommunicatingOps>> communicatingOps_;
  std::map<Operation*, std::unique_ptr<BoxBuckets>> buckets_;  // by function
};

}  // namespace sbp

#endif  // PASSES_EXPLAIN_PRICING_H_
