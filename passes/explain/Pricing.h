// The prices of the ops and movements of a boxed program on one or several
// meshes, by the prices of the machine.

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
#include "passes/explain/KernelShares.h"
#include "passes/localize/CommunicatingOps.h"
#include "passes/module/PlacedTypes.h"
#include "passes/plan/Signatures.h"

namespace sbp {

/// The price of one execution of an op.
struct OpPrice {
  double computing = 0;      // seconds
  double communicating = 0;  // seconds of the op's own collectives
  /// Bytes of operands and results on the device that holds most of them.
  double bytes = 0;
};

/// Returns the signature by which `op`, which must be placed, runs on `mesh`.
/// `nest` must be loopNestOf(op).
MeshSignature placedSignature(DistributedOpInterface op, const LoopNest& nest,
                              const Mesh& mesh);

/// The prices of ops and movements. Caches prices per op and function, so the
/// program must not change while this object is used.
class Pricing {
 public:
  /// Constructs prices for devices like `device` on `meshes`. `meshes`,
  /// `device` and `shares` must outlive this object.
  Pricing(const PlacedMeshes& meshes, const Device& device,
          const KernelShares& shares)
      : meshes_(meshes),
        device_(device),
        shares_(shares),
        transitions_(meshes) {}

  /// Returns the explanation of an op that is executed `times` times.
  ExplainedOp explain(DistributedOpInterface op, int64_t times);
  /// Returns the explanation of a movement that is executed `times` times.
  ExplainedMovement explain(BoxOp box, int64_t times);

  /// Returns the price of `op` by `signature` on the mesh named `mesh`, in a
  /// kernel of its own. `nest` must be loopNestOf(op).
  OpPrice price(DistributedOpInterface op, const LoopNest& nest,
                mlir::FlatSymbolRefAttr mesh, const MeshSignature& signature);

  /// Returns the bytes of a tensor of the placed type `type` on the device that
  /// holds most of it.
  double bytesOf(RankedTensorType type) const;

  /// Fails if an op could not be priced; its diagnostic has been emitted.
  LogicalResult status() const;

 private:
  const BoxBuckets& bucketsAround(BoxOp box);
  /// Returns the cost of `op`, which communicates itself when it runs by
  /// `signature`.
  const CommunicatingOpCost& ownCost(Operation* op,
                                     mlir::FlatSymbolRefAttr mesh,
                                     const MeshSignature& signature);

  const PlacedMeshes& meshes_;
  const Device& device_;
  const KernelShares& shares_;
  GroupTransitions transitions_;
  std::map<StringRef, std::unique_ptr<CommunicatingOps>> communicatingOps_;
  std::map<Operation*, std::unique_ptr<BoxBuckets>> buckets_;  // by function
};

}  // namespace sbp

#endif  // PASSES_EXPLAIN_PRICING_H_
