#include "codegen/check/DistributedRun.h"

#include "codegen/interpreter/RankGrid.h"
#include "dialects/sbp/Sbp.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "passes/localize/Passes.h"
#include "passes/localize/PlacedOp.h"

namespace sbp::check {
namespace {

/// Adds to `module` a machine like `mesh`: its levels are the axes.
void addMachine(ModuleOp module, StringRef name, const Mesh& mesh) {
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  SmallVector<Attribute> levels;
  for (const MeshAxis& axis : mesh.axes)
    levels.push_back(LevelAttr::get(builder.getContext(), axis.name, axis.size,
                                    llvm::APFloat(0.0), llvm::APFloat(0.0)));
  MachineOp::create(builder, module.getLoc(), name,
                    builder.getArrayAttr(levels), /*device=*/nullptr);
}

}  // namespace

FailureOr<interpreter::Results> runDistributed(
    Operation* op, ArrayRef<Signature> choice, const Mesh& mesh,
    ArrayRef<interpreter::Tensor> operands,
    const interpreter::Evaluators& evaluators, uint64_t seed) {
  SmallVector<Placement> operandPlacements, resultPlacements;
  for (size_t index = 0; index < op->getNumOperands(); ++index)
    operandPlacements.push_back(operandPlacement(choice, index));
  for (size_t index = 0; index < op->getNumResults(); ++index)
    resultPlacements.push_back(resultPlacement(choice, index));
  PlacedOp placed(op, operandPlacements, resultPlacements);
  addMachine(placed.module(), PlacedOp::kMesh, mesh);

  mlir::PassManager passes(op->getContext());
  passes.addPass(createLocalize());
  if (failed(mlir::verify(placed.module())) ||
      failed(passes.run(placed.module())))
    return failure();
  FailureOr<interpreter::RankGrid> grid =
      interpreter::RankGrid::create(placed.module(), evaluators);
  if (failed(grid)) return failure();
  return grid->runWhole(PlacedOp::kEntry, operands, seed);
}

}  // namespace sbp::check
