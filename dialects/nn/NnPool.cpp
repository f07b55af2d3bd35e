// Pooling and its gradient.

#include "dialects/nn/Nn.h"
#include "dialects/nn/Shapes.h"
#include "dialects/nn/WindowedSpace.h"

namespace sbp::nn {
namespace {

/// `outputs`: the tensor with an element for each window.
template <typename PoolLikeOp>
LogicalResult verifyPool(PoolLikeOp op, Value outputs) {
  Type input = op.getInput().getType();
  Type output = outputs.getType();
  ArrayRef<int64_t> shape = shapeOf(input);
  // (C1)
  if (failed(haveOneElementType(op.getLoc(), {input, output})))
    return failure();
  if (shape.size() < 3 || shapeOf(output).size() != shape.size() ||
      shape.take_front(2) != shapeOf(output).take_front(2))
    return op.emitOpError() << "pools " << input << " to " << output
                            << ", which are not [N, C, space...] both";
  size_t numSpace = shape.size() - 2;
  if (op.getExtents().size() != numSpace)
    return op.emitOpError()
           << "has windows of " << op.getExtents().size() << " extents for "
           << numSpace << " dimensions of space";
  if (failed(checkWindowLists(op, numSpace))) return failure();  // (C2)
  return checkOutputs(op, input, output);                        // (C4)
}

Reduction reductionOf(ReduceKind kind) {
  return kind == ReduceKind::Max   ? Reduction::Max
         : kind == ReduceKind::Min ? Reduction::Min
                                   : Reduction::Sum;
}

/// Loops over samples, channels, and the outputs in space, then over the
/// window, which is whole. Operands and results are tensors of inputs or of
/// outputs.
struct PoolNest {
  LoopNest nest;
  TensorLoops inputs, outputs;
};

template <typename PoolLikeOp>
PoolNest poolNest(PoolLikeOp op, Value outputs, Loop::Kind kindOfSpace) {
  PoolNest pool;
  ArrayRef<int64_t> shape = shapeOf(outputs);
  for (auto [dim, extent] : llvm::enumerate(shape))
    pool.nest.addLoop({dim < 2 ? Loop::Kind::Parallel : kindOfSpace, extent});
  for (int64_t extent : op.getExtents()) pool.nest.addLoop(Loop::whole(extent));
  pool.outputs = firstLoops(shape.size());
  pool.inputs = firstLoops(2);
  pool.inputs.append(shape.size() - 2, kNoLoop);
  return pool;
}

/// The first of the loops over the outputs in space.
constexpr int64_t kSpace = 2;

}  // namespace

LogicalResult PoolOp::verify() { return verifyPool(*this, getResult()); }

Windows PoolOp::getWindows() { return windowsOf(*this, getExtents()); }

LoopNest PoolOp::getLoopNest() {
  auto [nest, inputs, outputs] =
      poolNest(*this, getResult(), Loop::Kind::Parallel);
  nest.operands = {inputs};
  nest.operands.append(getFirst().size(), TensorLoops());
  nest.results = {outputs};
  passPartial(nest, reductionOf(getKind()), {0});
  return nest;
}

Operation* PoolOp::buildLocal(OpBuilder& builder, ValueRange operands,
                              TypeRange results, Shard& shard) {
  return buildLocalWindows(*this, builder, operands, results, kSpace, shard);
}

LogicalResult PoolGradOp::verify() {
  if (failed(
          haveOneShape(getLoc(), getInput().getType(), getResult().getType())))
    return failure();
  return verifyPool(*this, getGradient());
}

Windows PoolGradOp::getWindows() { return windowsOf(*this, getExtents()); }

LoopNest PoolGradOp::getLoopNest() {
  auto [nest, inputs, outputs] =
      poolNest(*this, getGradient(), Loop::Kind::Reduction);
  nest.operands = {inputs, outputs};
  nest.operands.append(getFirst().size(), TensorLoops());
  nest.results = {inputs};
  passPartial(nest, Reduction::Sum, {1});
  return nest;
}

Operation* PoolGradOp::buildLocal(OpBuilder& builder, ValueRange operands,
                                  TypeRange results, Shard& shard) {
  return buildLocalWindows(*this, builder, operands, results, kSpace, shard);
}

}  // namespace sbp::nn
