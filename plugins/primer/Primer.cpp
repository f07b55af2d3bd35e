// A plug-in with an op of its own dialect. Its definition, Primer.td, and this
// file have everything that the compiler needs to know about the op.
//
//   sbpc model.mlir -n 4 --load-dialect-plugin primer.so
//   sbpc model.mlir -n 4 --load-dialect-plugin primer.so --target cuda \
//       --emit ptx

#include "Primer.h"

#include "codegen/kernels/Arithmetic.h"
#include "codegen/plugin/Plugin.h"
#include "dialects/nn/Nn.h"

// Generated from Primer.td.
#include "Primer.cpp.inc"

#define GET_OP_CLASSES
#include "PrimerOps.cpp.inc"

namespace sbp::primer {

void PrimerDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "PrimerOps.cpp.inc"
      >();
}

// One parallel loop per dimension. The function never decreases, so it commutes
// with max and min: the maximum of its values is its value at the maximum.
LoopNest SquaredReluOp::getLoopNest() {
  LoopNest nest;
  TensorLoops loops;
  for (int64_t extent : getInput().getType().getShape())
    loops.push_back(nest.addLoop(Loop::parallel(extent)));
  nest.operands = {loops};
  nest.results = {loops};
  nest.partialPasses = {{Reduction::Max, {0}}, {Reduction::Min, {0}}};
  nest.flopsPerPoint = 2;
  return nest;
}

// y = r^2 with r = max(x, 0), y' = 2 r
LogicalResult SquaredReluOp::buildAdjoint(
    OpBuilder& builder, ValueRange resultGradients,
    llvm::MutableArrayRef<Value> operandGradients) {
  Value relu = nn::ReluOp::create(builder, getLoc(), getInput());
  Value slope = nn::AddOp::create(builder, getLoc(), relu, relu);
  operandGradients[0] =
      nn::MulOp::create(builder, getLoc(), resultGradients[0], slope);
  return mlir::success();
}

SmallVector<Value> SquaredReluOp::buildElement(Arithmetic& x, ValueRange in) {
  Value relu = x.max(in[0], x.like(in[0], 0));
  return {x.mul(relu, relu)};
}

}  // namespace sbp::primer

SBP_DIALECT_PLUGIN("primer", "1", [](mlir::DialectRegistry* registry) {
  registry->insert<sbp::primer::PrimerDialect>();
})
