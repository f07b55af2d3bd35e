#include "passes/placement/VerifySignatures.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include "dialects/Dialects.h"
#include "dialects/rank/Rank.h"
#include "dialects/sbp/OpBase.h"
#include "dialects/sbp/Sbp.h"
#include "mlir/IR/Verifier.h"
#include "passes/diagnostics/HeldDiagnostics.h"
#include "passes/localize/PlacedOp.h"
#include "passes/module/OpKey.h"
#include "passes/plan/Signatures.h"

namespace sbp {
namespace {

/// Returns the placements on one mesh axis that have these components.
SmallVector<Placement> placementsOf(ArrayRef<Component> components) {
  return llvm::map_to_vector(
      components,
      [](const Component& component) -> Placement { return {component}; });
}

/// Returns the least number of devices that may split `loop` so that each has
/// an iteration; 1 if there is none.
int64_t numDevices(const Loop& loop) {
  const int64_t most = std::min(loop.extent, kMaxDevices);
  for (int64_t count = 2; count <= most; ++count)
    if (maySplit(loop, /*alreadySplit=*/1, count)) return count;
  return 1;
}

/// Returns a mesh with one axis, on which `signature` of `nest` is tried.
Mesh meshFor(const LoopNest& nest, const Signature& signature) {
  MeshAxis axis{"devices"};
  axis.size =
      signature.loop == kNoLoop ? 2 : numDevices(nest.loops[signature.loop]);
  Mesh mesh;
  mesh.axes.push_back(axis);
  return mesh;
}

/// Returns what the first error says that `check` emits if it fails at `op` or
/// a copy of it, and nothing if `check` succeeds.
std::optional<std::string> refusalBy(
    Operation* op, llvm::function_ref<LogicalResult()> check) {
  HeldDiagnostics held(op->getContext(), HeldDiagnostics::Which::All);
  if (succeeded(check())) return std::nullopt;
  auto diagnostics = held.take();
  auto error = llvm::find_if(diagnostics, [](const mlir::Diagnostic& held) {
    return held.getSeverity() == mlir::DiagnosticSeverity::Error;
  });
  if (error == diagnostics.end()) return "it fails without an error";
  std::string text = error->str();
  StringRef says = text;
  says.consume_front(("'" + op->getName().getStringRef() + "' op ").str());
  return says.str();
}

/// Verifies one signature of an op.
class SignatureVerifier {
 public:
  SignatureVerifier(Operation* op, const LoopNest& nest,
                    const Signature& signature)
      : op_(op),
        nest_(nest),
        signature_(signature),
        operands_(placementsOf(signature.operands)),
        results_(placementsOf(signature.results)),
        placed_(op, operands_, results_) {}

  LogicalResult run() {
    if (failed(verifyPlaced())) return failure();
    const Mesh mesh = meshFor(nest_, signature_);
    if (mesh.numRanks() < 2 || !combine(nest_, mesh, {&signature_}))
      return success();
    const GroupTransitions transitions = PlacedOp::transitionsOn(mesh);
    // If parts are uneven, the first rank has the smallest, and the last one
    // the largest.
    for (int64_t rank : {int64_t{0}, mesh.numRanks() - 1})
      if (failed(verifyLocal(rank, mesh, transitions))) return failure();
    return success();
  }

 private:
  LogicalResult verifyPlaced() {
    std::optional<std::string> refusal = refusalBy(op_, [&]() -> LogicalResult {
      if (failed(mlir::verify(placed_.get()))) return failure();
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

  /// Verifies what the device `rank` of `mesh` runs.
  LogicalResult verifyLocal(int64_t rank, const Mesh& mesh,
                            const GroupTransitions& transitions) {
    std::optional<std::string> refusal = refusalBy(op_, [&]() -> LogicalResult {
      auto program = placed_.local(rank, transitions);
      if (failed(program)) return failure();
      // Ops of the rank dialect name a mesh, which this program lacks.
      mlir::WalkResult walk = (*program)->walk([](Operation* local) {
        if (llvm::isa<mlir::func::FuncOp, rank::ProgramOp>(local) ||
            llvm::isa<rank::RankDialect>(local->getDialect()) ||
            succeeded(mlir::verify(local)))
          return mlir::WalkResult::advance();
        return mlir::WalkResult::interrupt();
      });
      return failure(walk.wasInterrupted());
    });
    if (!refusal) return success();
    mlir::InFlightDiagnostic error = op_->emitOpError();
    error << "cannot run by the signature " << signature_.str() << " on rank "
          << rank << " of " << mesh.numRanks() << ": " << *refusal;
    error.attachNote()
        << "the local types are "
        << localTypes(op_->getOperandTypes(), operands_, mesh, rank) << " -> "
        << localTypes(op_->getResultTypes(), results_, mesh, rank)
        << (signature_.communicates ? "; buildCommunicating" : "; buildLocal")
        << " builds the op on them";
    return error;
  }

  static SmallVector<Type> localTypes(TypeRange types,
                                      ArrayRef<Placement> placements,
                                      const Mesh& mesh, int64_t rank) {
    SmallVector<Type> local;
    for (auto [type, placement] : llvm::zip(types, placements)) {
      auto whole = llvm::cast<RankedTensorType>(type);
      local.push_back(
          RankedTensorType::get(localShape(whole.getShape(), placement, mesh,
                                           mesh.coordinatesOf(rank)),
                                whole.getElementType()));
    }
    return local;
  }

  Operation* op_;
  const LoopNest& nest_;
  const Signature& signature_;
  SmallVector<Placement> operands_, results_;
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

}  // namespace sbp
