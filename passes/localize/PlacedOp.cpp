#include "passes/localize/PlacedOp.h"

#include <optional>
#include <string>

#include "dialects/sbp/DistributedOp.h"
#include "dialects/sbp/Sbp.h"
#include "llvm/ADT/StringExtras.h"
#include "mlir/IR/Verifier.h"
#include "passes/diagnostics/Refusal.h"
#include "passes/localize/LocalProgram.h"
#include "passes/module/VerifyAttached.h"

namespace sbp {

using mlir::func::FuncOp;

namespace {

mlir::FlatSymbolRefAttr meshName(MLIRContext* context) {
  return mlir::FlatSymbolRefAttr::get(context, PlacedOp::kMesh);
}

SmallVector<Type> placedTypes(TypeRange types, ArrayRef<Placement> placements) {
  SmallVector<Type> placed;
  for (auto [type, placement] : llvm::zip_equal(types, placements)) {
    MLIRContext* context = type.getContext();
    placed.push_back(
        withPlacement(llvm::cast<RankedTensorType>(type),
                      NdSbpAttr::get(context, meshName(context), placement)));
  }
  return placed;
}

/// Builds a machine whose levels are the axes of `mesh`.
void buildMachine(OpBuilder& builder, Location location, const Mesh& mesh) {
  SmallVector<Attribute> levels;
  for (const MeshAxis& axis : mesh.axes)
    levels.push_back(LevelAttr::get(builder.getContext(), axis.name, axis.size,
                                    llvm::APFloat(0.0), llvm::APFloat(0.0)));
  MachineOp::create(builder, location, PlacedOp::kMesh,
                    builder.getArrayAttr(levels), /*device=*/nullptr);
}

/// Returns the local types, on `rank` of `mesh`, of tensors of the placed types
/// `types`.
SmallVector<Type> localTypes(TypeRange types, const Mesh& mesh, int64_t rank) {
  return llvm::map_to_vector(types, [&](Type type) -> Type {
    auto whole = llvm::cast<RankedTensorType>(type);
    return RankedTensorType::get(
        localShape(whole.getShape(), NdSbpAttr::of(whole).getComponents(), mesh,
                   mesh.coordinatesOf(rank)),
        whole.getElementType());
  });
}

}  // namespace

PlacedOp::PlacedOp(Operation* op, ArrayRef<Placement> operands,
                   ArrayRef<Placement> results, const Mesh& mesh)
    : module_(ModuleOp::create(op->getLoc())), mesh_(mesh) {
  mlir::FunctionType type = typeOf(op, operands, results);
  OpBuilder builder = OpBuilder::atBlockEnd(module_->getBody());
  buildMachine(builder, op->getLoc(), mesh);
  auto function = FuncOp::create(builder, op->getLoc(), kEntry, type);
  builder.setInsertionPointToEnd(function.addEntryBlock());
  Operation* copy =
      cloneWithTypes(builder, op, function.getArguments(), type.getResults());
  // A pinned signature belongs to the program that `op` is in.
  copy->removeAttr(kSignatureAttrName);
  mlir::func::ReturnOp::create(builder, op->getLoc(), copy->getResults());
}

mlir::FunctionType PlacedOp::typeOf(Operation* op, ArrayRef<Placement> operands,
                                    ArrayRef<Placement> results) {
  return mlir::FunctionType::get(op->getContext(),
                                 placedTypes(op->getOperandTypes(), operands),
                                 placedTypes(op->getResultTypes(), results));
}

GroupTransitions PlacedOp::transitionsOn(const Mesh& mesh) {
  PlacedMeshes meshes;
  Mesh places = mesh;
  places.ranks.clear();
  meshes.byName.emplace(kMesh, std::move(places));
  return GroupTransitions(meshes);
}

Operation* PlacedOp::get() {
  return &(*module_->getOps<FuncOp>().begin()).getBody().front().front();
}

FailureOr<mlir::OwningOpRef<rank::ProgramOp>> PlacedOp::local(
    int64_t rank, const GroupTransitions& transitions) {
  MLIRContext* context = module_->getContext();
  // Passes have loaded the dialect already; other callers may not have.
  context->getOrLoadDialect<rank::RankDialect>();
  mlir::OwningOpRef<rank::ProgramOp> program;
  std::optional<std::string> refusal = refusalBy(get(), [&]() -> LogicalResult {
    auto built = buildLocalProgram(*module_, "program", meshName(context),
                                   {rank}, transitions);
    if (failed(built)) return failure();
    program = std::move(*built);
    // The program is verified inside the module, which defines the mesh of the
    // collectives.
    module_->push_back(*program);
    const bool isValid = succeeded(mlir::verify(*program)) &&
                         succeeded(verifyAttachedInterfaces(*program));
    program->getOperation()->remove();
    return LogicalResult::success(isValid);
  });
  if (!refusal) return program;
  refuse(rank, *refusal);
  return failure();
}

void PlacedOp::refuse(int64_t rank, StringRef refusal) {
  Operation* op = get();
  const SmallVector<Signature, 3> perAxis =
      signaturesPerAxis(op, loopNestOf(op));
  mlir::InFlightDiagnostic error = op->emitOpError();
  error << "cannot run by the signature "
        << llvm::join(llvm::map_range(perAxis,
                                      [](const Signature& signature) {
                                        return signature.str();
                                      }),
                      "; ")
        << " on rank " << rank << " of " << mesh_.numRanks() << ": " << refusal;
  error.attachNote() << "the local types are "
                     << localTypes(op->getOperandTypes(), mesh_, rank) << " -> "
                     << localTypes(op->getResultTypes(), mesh_, rank)
                     << (communicates(perAxis) ? "; buildCommunicating"
                                               : "; buildLocal")
                     << " builds the op on them";
}

}  // namespace sbp
