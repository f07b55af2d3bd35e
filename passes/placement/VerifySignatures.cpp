#include "passes/placement/VerifySignatures.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include "dialects/Dialects.h"
#include "dialects/sbp/OpBase.h"
#include "dialects/sbp/Sbp.h"
#include "mlir/IR/Verifier.h"
#include "passes/diagnostics/Refusal.h"
#include "passes/localize/PlacedOp.h"
#include "passes/module/OpKey.h"
#include "passes/module/VerifyAttached.h"
#include "passes/plan/Signatures.h"

namespace sbp {
namespace {

/// Returns one placement on a mesh of a single axis for each of `components`.
SmallVector<Placement> placementsOf(ArrayRef<Component> components) {
  return llvm::map_to_vector(
      components,
      [](const Component& component) -> Placement { return {component}; });
}

/// Returns the least number of devices that may split `loop` such that each has
/// an iteration; 1 if there is none.
int64_t numDevices(const Loop& loop) {
  const int64_t most = std::min(loop.extent, kMaxDevices);
  for (int64_t count = 2; count <= most; ++count)
    if (maySplit(loop, /*alreadySplit=*/1, count)) return count;
  return 1;
}

/// Returns a mesh with one axis on which to try `signature` of `nest`.
Mesh meshFor(const LoopNest& nest, const Signature& signature) {
  MeshAxis axis{"devices"};
  axis.size =
      signature.loop == kNoLoop ? 2 : numDevices(nest.loops[signature.loop]);
  Mesh mesh;
  mesh.axes.push_back(axis);
  return mesh;
}

/// Verifies one signature of an op.
class SignatureVerifier {
 public:
  SignatureVerifier(Operation* op, const LoopNest& nest,
                    const Signature& signature)
      : op_(op),
        nest_(nest),
        signature_(signature),
        mesh_(meshFor(nest, signature)),
        placed_(op, placementsOf(signature.operands),
                placementsOf(signature.results), mesh_) {}

  LogicalResult run() {
    if (failed(verifyPlaced())) return failure();
    if (mesh_.numRanks() < 2 || !combine(nest_, mesh_, {&signature_}))
      return success();
    const GroupTransitions transitions = PlacedOp::transitionsOn(mesh_);
    // If parts are uneven, the first rank has the smallest one, and the last
    // rank has the largest one.
    for (int64_t rank : {int64_t{0}, mesh_.numRanks() - 1})
      if (failed(placed_.local(rank, transitions))) return failure();
    return success();
  }

  /// Verifies the op with the types that `signature` gives it.
  LogicalResult verifyPlaced() {
    std::optional<std::string> refusal = refusalBy(op_, [&]() -> LogicalResult {
      if (failed(mlir::verify(placed_.get())) ||
          failed(verifyAttachedInterfaces(placed_.get())))
        return failure();
      if (!llvm::isa<mlir::InferTypeOpInterface>(placed_.get()))
        return success();
      return verifyInferredTypes(placed_.get());
    });
    if (!refusal) return success();
    mlir::InFlightDiagnostic error = op_->emitOpError();
    error << "has a verifier that refuses the signature " << signature_.str()
          << " of its own loops: " << *refusal;
    error.attachNote() << "placements are encodings of types; traits that "
                          "ignore them are in dialects/sbp/SbpOpBase.td, such "
                          "as Sbp_SameTypeUpToPlacement";
    return error;
  }

 private:
  Operation* op_;
  const LoopNest& nest_;
  const Signature& signature_;
  Mesh mesh_;
  PlacedOp placed_;
};

}  // namespace

LogicalResult verifySignatures(ModuleOp module) {
  std::set<OpKey> verified;
  mlir::WalkResult walk = module.walk([&](DistributedOpInterface op) {
    auto type = mlir::FunctionType::get(op.getContext(), op->getOperandTypes(),
                                        op->getResultTypes());
    const bool isTested = isOfProject(op);
    if (isTested && !llvm::isa<CommunicatingOpInterface>(*op))
      return mlir::WalkResult::advance();
    if (!verified.insert(opKeyOf(op, type)).second)
      return mlir::WalkResult::advance();
    LoopNest nest = loopNestOf(op);
    for (const Signature& signature : signaturesOf(nest))
      if ((signature.communicates || !isTested) &&
          failed(SignatureVerifier(op, nest, signature).run()))
        return mlir::WalkResult::interrupt();
    return mlir::WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

LogicalResult verifyPlacedTypes(DistributedOpInterface op) {
  const LoopNest nest = loopNestOf(op);
  for (const Signature& signature : signaturesOf(nest))
    if (failed(SignatureVerifier(op, nest, signature).verifyPlaced()))
      return failure();
  return success();
}

}  // namespace sbp
