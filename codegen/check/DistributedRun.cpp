#include "codegen/check/DistributedRun.h"

#include "codegen/interpreter/RankGrid.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "passes/localize/Passes.h"
#include "passes/localize/PlacedOp.h"

namespace sbp::check {
FailureOr<interpreter::Results> runDistributed(
    Operation* op, ArrayRef<Signature> choice, const Mesh& mesh,
    ArrayRef<interpreter::Tensor> operands,
    const interpreter::Evaluators& evaluators, uint64_t seed) {
  SmallVector<Placement> operandPlacements, resultPlacements;
  for (size_t index = 0; index < op->getNumOperands(); ++index)
    operandPlacements.push_back(operandPlacement(choice, index));
  for (size_t index = 0; index < op->getNumResults(); ++index)
    resultPlacements.push_back(resultPlacement(choice, index));
  PlacedOp placed(op, operandPlacements, resultPlacements, mesh);

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
