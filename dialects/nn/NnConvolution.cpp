// Convolution and its two gradients. Each computes one of the three tensors of
// a convolution from the other two.

#include <array>

#include "dialects/nn/Nn.h"
#include "dialects/nn/Shapes.h"
#include "dialects/nn/WindowedSpace.h"

namespace sbp::nn {
namespace {

/// The tensors of a convolution: input [N, C, space...], filter
/// [F, C, window...], output [N, F, space...].
enum Role : size_t { kInput, kFilter, kOutput };

/// The roles of the first operand, the second operand and the result of an op.
using Roles = std::array<Role, 3>;
Roles rolesOf(ConvolutionOp) { return {kInput, kFilter, kOutput}; }
Roles rolesOf(ConvolutionInputGradOp) { return {kFilter, kOutput, kInput}; }
Roles rolesOf(ConvolutionFilterGradOp) { return {kInput, kOutput, kFilter}; }

/// Returns the input, the filter and the output of the convolution.
template <typename ConvolutionLikeOp>
std::array<Value, 3> tensorsOf(ConvolutionLikeOp op) {
  Roles roles = rolesOf(op);
  std::array<Value, 3> tensors;
  tensors[roles[0]] = op->getOperand(0);
  tensors[roles[1]] = op->getOperand(1);
  tensors[roles[2]] = op.getResult();
  return tensors;
}

/// Fails unless dimension `firstDim` of `first` and dimension `secondDim` of
/// `second` have the same extent, the number of `what`.
LogicalResult checkPair(Operation* op, StringRef what, Value first,
                        int64_t firstDim, Value second, int64_t secondDim) {
  int64_t one = shapeOf(first)[firstDim];
  int64_t other = shapeOf(second)[secondDim];
  if (one == other) return success();
  return op->emitOpError() << "has " << one << " and " << other << " " << what
                           << ", in " << first.getType() << " and "
                           << second.getType();
}

/// Verifies all constraints of a convolution, or of one of its gradients.
template <typename ConvolutionLikeOp>
LogicalResult verifyConvolution(ConvolutionLikeOp op) {
  auto [input, filter, output] = tensorsOf(op);
  Type inputType = input.getType();
  size_t rank = shapeOf(input).size();
  // (C1)
  if (rank < 3 || shapeOf(filter).size() != rank ||
      shapeOf(output).size() != rank)
    return op.emitOpError()
           << "relates " << inputType << ", " << filter.getType() << " and "
           << output.getType()
           << ", which are not [N, C, space...], [F, C, window...] and "
              "[N, F, space...]";
  if (failed(haveSameElementType(op.getLoc(), {inputType, filter.getType()})) ||
      failed(haveSameElementType(op.getLoc(), {inputType, output.getType()})))
    return failure();
  if (failed(checkWindowLists(op, rank - 2)) ||                  // (C2), (C5)
      failed(checkPair(op, "channels", input, 1, filter, 1)) ||  // (C3)
      failed(checkPair(op, "samples", input, 0, output, 0)) ||
      failed(checkPair(op, "filters", filter, 0, output, 1)))
    return failure();
  return checkOutputs(op, inputType, output.getType());  // (C4)
}

/// Indices of the loops of a convolution. The loops over the outputs along each
/// spatial dimension begin at kSpace.
enum ConvolutionLoop : int64_t { kSamples, kFilters, kChannels, kSpace };

/// Returns the loops over samples, filters, channels, the outputs along each
/// spatial dimension, and the elements of the window along each spatial
/// dimension. The loops over the window are not split. Any other loop that does
/// not index the result is a sum.
template <typename ConvolutionLikeOp>
LoopNest convolutionNest(ConvolutionLikeOp op) {
  auto [input, filter, output] = tensorsOf(op);
  Roles roles = rolesOf(op);
  size_t numSpace = shapeOf(input).size() - 2;
  std::array<TensorLoops, 3> loopsOf;
  loopsOf[kInput] = {kSamples, kChannels};
  loopsOf[kFilter] = {kFilters, kChannels};
  loopsOf[kOutput] = {kSamples, kFilters};
  loopsOf[kInput].append(numSpace, kNoLoop);
  loopsOf[kFilter].append(numSpace, kNoLoop);
  for (size_t dim = 0; dim < numSpace; ++dim)
    loopsOf[kOutput].push_back(kSpace + dim);

  LoopNest nest;
  nest.operands = {loopsOf[roles[0]], loopsOf[roles[1]]};
  nest.operands.append(op.getFirst().size(), TensorLoops());
  nest.results = {loopsOf[roles[2]]};
  auto add = [&](int64_t extent) {
    int64_t loop = nest.loops.size();
    nest.addLoop(llvm::is_contained(nest.results[0], loop)
                     ? Loop::parallel(extent)
                     : Loop::reduce(extent, Reduction::Sum));
  };
  add(shapeOf(input)[0]);
  add(shapeOf(filter)[0]);
  add(shapeOf(input)[1]);
  for (int64_t extent : shapeOf(output).drop_front(2)) add(extent);
  for (int64_t extent : shapeOf(filter).drop_front(2))
    nest.addLoop(Loop::whole(extent));
  nest.flopsPerPoint = 2;
  passPartial(nest, Reduction::Sum, {0});
  passPartial(nest, Reduction::Sum, {1});
  return nest;
}

}  // namespace

LogicalResult ConvolutionOp::verify() { return verifyConvolution(*this); }
LoopNest ConvolutionOp::getLoopNest() { return convolutionNest(*this); }
Windows ConvolutionOp::getWindows() {
  return windowsOf(*this, shapeOf(getFilter()).drop_front(2));
}
Operation* ConvolutionOp::buildLocal(OpBuilder& builder, ValueRange operands,
                                     TypeRange results, Shard& shard) {
  return buildLocalWindows(*this, builder, operands, results, kSpace, shard);
}

LogicalResult ConvolutionInputGradOp::verify() {
  return verifyConvolution(*this);
}
LoopNest ConvolutionInputGradOp::getLoopNest() {
  return convolutionNest(*this);
}
Windows ConvolutionInputGradOp::getWindows() {
  return windowsOf(*this, shapeOf(getFilter()).drop_front(2));
}
Operation* ConvolutionInputGradOp::buildLocal(OpBuilder& builder,
                                              ValueRange operands,
                                              TypeRange results, Shard& shard) {
  return buildLocalWindows(*this, builder, operands, results, kSpace, shard);
}

LogicalResult ConvolutionFilterGradOp::verify() {
  return verifyConvolution(*this);
}
LoopNest ConvolutionFilterGradOp::getLoopNest() {
  return convolutionNest(*this);
}
Windows ConvolutionFilterGradOp::getWindows() {
  return windowsOf(*this, shapeOf(getResult()).drop_front(2));
}
Operation* ConvolutionFilterGradOp::buildLocal(OpBuilder& builder,
                                               ValueRange operands,
                                               TypeRange results,
                                               Shard& shard) {
  return buildLocalWindows(*this, builder, operands, results, kSpace, shard);
}

}  // namespace sbp::nn
