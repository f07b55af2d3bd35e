#include "codegen/check/DistributedRun.h"

#include "codegen/interpreter/RankGrid.h"
#include "dialects/sbp/DistributedOp.h"
#include "dialects/sbp/Sbp.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "passes/localize/Passes.h"

namespace sbp::check {
namespace {

constexpr llvm::StringLiteral kMachine = "machine";
constexpr llvm::StringLiteral kFunction = "op";

/// Adds to `module` a machine whose levels are the axes of `mesh`.
void addMachine(OpBuilder& builder, ModuleOp module, const Mesh& mesh) {
  MLIRContext* context = builder.getContext();
  SmallVector<Attribute> levels;
  for (const MeshAxis& axis : mesh.axes)
    levels.push_back(LevelAttr::get(context, axis.name, axis.size,
                                    llvm::APFloat(0.0), llvm::APFloat(0.0)));
  MachineOp::create(builder, module.getLoc(), kMachine,
                    builder.getArrayAttr(levels), /*device=*/nullptr);
}

/// Returns a module with a machine like `mesh` and a function of `op` alone,
/// placed as `choice` says.
mlir::OwningOpRef<ModuleOp> placedModule(Operation* op,
                                         ArrayRef<Signature> choice,
                                         const Mesh& mesh) {
  mlir::OwningOpRef<ModuleOp> module(ModuleOp::create(op->getLoc()));
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  addMachine(builder, *module, mesh);

  auto name = mlir::FlatSymbolRefAttr::get(op->getContext(), kMachine);
  const auto placed = [&](Type type, const Placement& placement) -> Type {
    return withPlacement(llvm::cast<RankedTensorType>(type),
                         NdSbpAttr::get(op->getContext(), name, placement));
  };
  SmallVector<Type> operands, results;
  for (auto [index, type] : llvm::enumerate(op->getOperandTypes()))
    operands.push_back(placed(type, operandPlacement(choice, index)));
  for (auto [index, type] : llvm::enumerate(op->getResultTypes()))
    results.push_back(placed(type, resultPlacement(choice, index)));
  auto function =
      mlir::func::FuncOp::create(builder, op->getLoc(), kFunction,
                                 builder.getFunctionType(operands, results));
  builder.setInsertionPointToStart(function.addEntryBlock());
  Operation* copy =
      cloneWithTypes(builder, op, function.getArguments(), results);
  mlir::func::ReturnOp::create(builder, op->getLoc(), copy->getResults());
  return module;
}

}  // namespace

FailureOr<interpreter::Results> runDistributed(
    Operation* op, ArrayRef<Signature> choice, const Mesh& mesh,
    ArrayRef<interpreter::Tensor> operands,
    const interpreter::Evaluators& evaluators, uint64_t seed) {
  mlir::OwningOpRef<ModuleOp> module = placedModule(op, choice, mesh);
  mlir::PassManager passes(op->getContext());
  passes.addPass(createLocalize());
  if (failed(mlir::verify(*module)) || failed(passes.run(*module)))
    return failure();
  FailureOr<interpreter::RankGrid> grid =
      interpreter::RankGrid::create(*module, evaluators);
  if (failed(grid)) return failure();
  return grid->runWhole(kFunction, operands, seed);
}

}  // namespace sbp::check
