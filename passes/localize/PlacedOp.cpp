#include "passes/localize/PlacedOp.h"

#include "dialects/sbp/Sbp.h"
#include "passes/localize/LocalProgram.h"

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

}  // namespace

PlacedOp::PlacedOp(Operation* op, ArrayRef<Placement> operands,
                   ArrayRef<Placement> results)
    : module_(ModuleOp::create(op->getLoc())) {
  mlir::FunctionType type = typeOf(op, operands, results);
  OpBuilder builder = OpBuilder::atBlockEnd(module_->getBody());
  auto function = FuncOp::create(builder, op->getLoc(), kEntry, type);
  builder.setInsertionPointToEnd(function.addEntryBlock());
  Operation* copy =
      cloneWithTypes(builder, op, function.getArguments(), type.getResults());
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
  // Passes have loaded the dialect; other callers may not have.
  context->getOrLoadDialect<rank::RankDialect>();
  return buildLocalProgram(*module_, "program", meshName(context), {rank},
                           transitions);
}

}  // namespace sbp
