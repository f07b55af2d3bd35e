// Convolution, pooling, and their gradients: ops that slide a window over the
// dimensions of space.

#include <vector>

#include "codegen/interpreter/Monoid.h"
#include "codegen/interpreter/evaluate/AddEvaluators.h"
#include "dialects/nn/Nn.h"

namespace sbp::interpreter {
namespace {

/// A pair of an output element and an element of its window: row-major offsets
/// in the input's, the window's and the output's dimensions of space.
struct WindowPair {
  int64_t input, window, output;
};

int64_t numPoints(ArrayRef<int64_t> extents) {
  int64_t product = 1;
  for (int64_t extent : extents) product *= extent;
  return product;
}

/// Returns the pairs whose input element is not in the padding, ordered by
/// output element, then by window element, both row-major.
template <typename WindowOp>
std::vector<WindowPair> pairsOf(WindowOp op, ArrayRef<Tensor> operands,
                                ArrayRef<int64_t> input,
                                ArrayRef<int64_t> output) {
  nn::Windows windows = op.getWindows();
  size_t numSpace = windows.size();
  SmallVector<int64_t> first(numSpace, 0);
  ArrayRef<Tensor> firstOperands = operands.take_back(op.getFirst().size());
  if (std::optional<ArrayRef<int64_t>> dims = op.getFirstIn())
    for (auto [dim, operand] : llvm::zip_equal(*dims, firstOperands))
      first[dim] = operand.integers()[0];

  std::vector<WindowPair> pairs;
  auto visit = [&](auto& self, size_t dim, SmallVector<int64_t> at) -> void {
    // `at` has the output's index in each dimension, then the window's.
    size_t space = dim % numSpace;
    if (dim < 2 * numSpace) {
      int64_t extent = dim < numSpace ? output[space] : windows[space].extent;
      for (int64_t index = 0; index < extent; ++index) {
        at.push_back(index);
        self(self, dim + 1, at);
        at.pop_back();
      }
      return;
    }
    WindowPair pair = {0, 0, 0};
    for (space = 0; space < numSpace; ++space) {
      const nn::Window& window = windows[space];
      int64_t seen =
          window.inputOf(first[space] + at[space], at[numSpace + space]);
      if (seen < 0 || seen >= input[space]) return;
      pair.input = pair.input * input[space] + seen;
      pair.window = pair.window * window.extent + at[numSpace + space];
      pair.output = pair.output * output[space] + at[space];
    }
    pairs.push_back(pair);
  };
  visit(visit, 0, {});
  return pairs;
}

/// Calls `visit` for every product of a convolution, with the offsets of its
/// elements in the input, in the filter, and in the output.
template <typename ConvolutionLikeOp, typename Visit>
void forEachProduct(ConvolutionLikeOp op, ArrayRef<Tensor> operands,
                    ArrayRef<int64_t> input, ArrayRef<int64_t> filter,
                    ArrayRef<int64_t> output, Visit visit) {
  std::vector<WindowPair> pairs =
      pairsOf(op, operands, input.drop_front(2), output.drop_front(2));
  int64_t inputPoints = numPoints(input.drop_front(2));
  int64_t filterPoints = numPoints(filter.drop_front(2));
  int64_t outputPoints = numPoints(output.drop_front(2));
  for (int64_t n = 0; n < input[0]; ++n)
    for (int64_t f = 0; f < filter[0]; ++f)
      for (int64_t c = 0; c < filter[1]; ++c)
        for (const WindowPair& pair : pairs)
          visit((n * input[1] + c) * inputPoints + pair.input,
                (f * filter[1] + c) * filterPoints + pair.window,
                (n * filter[0] + f) * outputPoints + pair.output);
}

Tensor evaluateConvolution(nn::ConvolutionOp op, ArrayRef<Tensor> operands) {
  RankedTensorType type = resultType(op);
  ArrayRef<double> input = operands[0].floats();
  ArrayRef<double> filter = operands[1].floats();
  std::vector<double> result(type.getNumElements(), 0);
  forEachProduct(op, operands, operands[0].shape(), operands[1].shape(),
                 type.getShape(), [&](int64_t i, int64_t k, int64_t o) {
                   result[o] += filter[k] * input[i];
                 });
  return Tensor(type, std::move(result));
}

Tensor evaluateConvolutionInputGrad(nn::ConvolutionInputGradOp op,
                                    ArrayRef<Tensor> operands) {
  RankedTensorType type = resultType(op);
  ArrayRef<double> filter = operands[0].floats();
  ArrayRef<double> gradient = operands[1].floats();
  std::vector<double> result(type.getNumElements(), 0);
  forEachProduct(op, operands, type.getShape(), operands[0].shape(),
                 operands[1].shape(), [&](int64_t i, int64_t k, int64_t o) {
                   result[i] += filter[k] * gradient[o];
                 });
  return Tensor(type, std::move(result));
}

Tensor evaluateConvolutionFilterGrad(nn::ConvolutionFilterGradOp op,
                                     ArrayRef<Tensor> operands) {
  RankedTensorType type = resultType(op);
  ArrayRef<double> input = operands[0].floats();
  ArrayRef<double> gradient = operands[1].floats();
  std::vector<double> result(type.getNumElements(), 0);
  forEachProduct(op, operands, operands[0].shape(), type.getShape(),
                 operands[1].shape(), [&](int64_t i, int64_t k, int64_t o) {
                   result[k] += input[i] * gradient[o];
                 });
  return Tensor(type, std::move(result));
}

// ---- Pooling ----------------------------------------------------------------

Reduction monoidOf(nn::ReduceKind kind) {
  return kind == nn::ReduceKind::Max   ? Reduction::Max
         : kind == nn::ReduceKind::Min ? Reduction::Min
                                       : Reduction::Sum;
}

/// Returns the divisor of a sum over a window: 1 unless the op is a mean.
template <typename PoolLikeOp>
double divisorOf(PoolLikeOp op) {
  return op.getKind() == nn::ReduceKind::Mean ? numPoints(op.getExtents()) : 1;
}

/// Returns the pooled elements of `input`; `output` is the shape of the result.
template <typename PoolLikeOp>
std::vector<double> pooled(PoolLikeOp op, const Tensor& input,
                           ArrayRef<int64_t> output,
                           ArrayRef<WindowPair> pairs) {
  Reduction monoid = monoidOf(op.getKind());
  int64_t numPlanes = output[0] * output[1];
  int64_t inputPoints = numPoints(input.shape().drop_front(2));
  int64_t outputPoints = numPoints(output.drop_front(2));
  std::vector<double> result(
      numPlanes * outputPoints,
      neutralElement<double>(monoid, input.elementType()));
  for (int64_t plane = 0; plane < numPlanes; ++plane)
    for (const WindowPair& pair : pairs) {
      double& element = result[plane * outputPoints + pair.output];
      element = combine(monoid, element,
                        input.floats()[plane * inputPoints + pair.input]);
    }
  for (double& element : result) element /= divisorOf(op);
  return result;
}

Tensor evaluatePool(nn::PoolOp op, ArrayRef<Tensor> operands) {
  RankedTensorType type = resultType(op);
  std::vector<WindowPair> pairs =
      pairsOf(op, operands, operands[0].shape().drop_front(2),
              type.getShape().drop_front(2));
  return Tensor(type, pooled(op, operands[0], type.getShape(), pairs));
}

Tensor evaluatePoolGrad(nn::PoolGradOp op, ArrayRef<Tensor> operands) {
  RankedTensorType type = resultType(op);
  const Tensor& gradient = operands[1];
  ArrayRef<double> input = operands[0].floats();
  ArrayRef<int64_t> output = gradient.shape();
  std::vector<WindowPair> pairs = pairsOf(
      op, operands, type.getShape().drop_front(2), output.drop_front(2));
  int64_t inputPoints = numPoints(type.getShape().drop_front(2));
  int64_t outputPoints = numPoints(output.drop_front(2));
  bool choosesOne = monoidOf(op.getKind()) != Reduction::Sum;
  std::vector<double> extremes = pooled(op, operands[0], output, pairs);
  std::vector<double> toGive(gradient.floats());
  std::vector<double> result(type.getNumElements(), 0);
  for (int64_t plane = 0; plane < output[0] * output[1]; ++plane)
    for (const WindowPair& pair : pairs) {
      int64_t to = plane * inputPoints + pair.input;
      int64_t from = plane * outputPoints + pair.output;
      if (choosesOne && input[to] != extremes[from]) continue;
      result[to] += toGive[from] / divisorOf(op);
      if (choosesOne) toGive[from] = 0;
    }
  return Tensor(type, std::move(result));
}

}  // namespace

void addWindowEvaluators(Evaluators& evaluators) {
  evaluators.add<nn::ConvolutionOp>(evaluateConvolution);
  evaluators.add<nn::ConvolutionInputGradOp>(evaluateConvolutionInputGrad);
  evaluators.add<nn::ConvolutionFilterGradOp>(evaluateConvolutionFilterGrad);
  evaluators.add<nn::PoolOp>(evaluatePool);
  evaluators.add<nn::PoolGradOp>(evaluatePoolGrad);
}

}  // namespace sbp::interpreter
