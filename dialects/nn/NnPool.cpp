// Pooling and its gradient.

#include "dialects/nn/Nn.h"
#include "dialects/nn/Shapes.h"
#include "dialects/nn/WindowedSpace.h"

namespace sbp::nn {
namespace {

/// Verifies a pooling or its gradient. `outputs` is the tensor with one element
/// per window: the result of a pooling, an operand of its gradient.
template <typename PoolLikeOp>
LogicalResult verifyPool(PoolLikeOp op, Value outputs) {
  Type input = op.getInput().getType();
  Type output = outputs.getType();
  ArrayRef<int64_t> shape = shapeOf(input);
  // (C1)
  if (failed(haveSameElementType(op.getLoc(), {input, output})))
    return failure();
  if (shape.size() < 3 || shapeOf(output).size() != shape.size() ||
      shape.take_front(2) != shapeOf(output).take_front(2))
    return op.emitOpError()
           << "pools " << input << " to " << output
           << ", which are not both [N, C, space...], with the "
              "same N and C";
  // (C2)
  size_t numSpace = shape.size() - 2;
  if (op.getExtents().size() != numSpace)
    return op.emitOpError()
           << "has windows of " << op.getExtents().size() << " extents for "
           << numSpace << " spatial dimensions";
  if (failed(checkWindowLists(op, numSpace))) return failure();  // (C2), (C4)
  return checkOutputs(op, input, output);                        // (C2), (C3)
}

Reduction reductionOf(ReduceKind kind) {
  return kind == ReduceKind::Max   ? Reduction::Max
         : kind == ReduceKind::Min ? Reduction::Min
                                   : Reduction::Sum;
}

/// The loops over samples, channels, the outputs along each spatial dimension,
/// and the elements of the window along each spatial dimension. The loops over
/// the window are not split. `inputs` are the loops of a tensor with the
/// input's shape, `outputs` the loops of a tensor with one element per window.
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
  pool.outputs = identityLoops(shape.size());
  pool.inputs = identityLoops(2);
  pool.inputs.append(shape.size() - 2, kNoLoop);
  return pool;
}

/// Index of the first loop over the outputs along a spatial dimension.
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
  // (C5)
  if (failed(
          haveSameType(getLoc(), getInput().getType(), getResult().getType())))
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
