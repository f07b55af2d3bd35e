// Ops without operands, and ops that move elements without reading them: each
// element of the result is an element of the input, or zero.

#include <algorithm>

#include "codegen/interpreter/evaluate/AddEvaluators.h"
#include "codegen/interpreter/evaluate/Walk.h"
#include "dialects/nn/Nn.h"

namespace sbp::interpreter {
namespace {

Tensor evaluateConstant(nn::ConstantOp op, ArrayRef<Tensor>) {
  return Tensor::of(op.getElements());
}

Tensor evaluateIota(nn::IotaOp op, ArrayRef<Tensor> operands) {
  RankedTensorType type = resultType(op);
  int64_t start = op.getStart() ? operands[0].integers()[0] : 0;
  Strides strides(type.getRank(), 0);
  strides[op.getDim()] = 1;
  return buildByElement(type.getElementType(), [&](auto zero) {
    std::vector<decltype(zero)> elements;
    walk(type.getShape(), std::array{strides}, [&](auto at) {
      elements.push_back(static_cast<decltype(zero)>(start + at[0]));
    });
    return Tensor(type, std::move(elements));
  });
}

/// Returns a tensor of shape `shape` with the elements of `input` at the
/// offsets of a walk by `strides`, from offset `begin` on.
Tensor walked(const Tensor& input, ArrayRef<int64_t> shape, Strides strides,
              int64_t begin = 0) {
  std::vector<int64_t> sources;
  walk(shape, std::array{strides},
       [&](auto at) { sources.push_back(begin + at[0]); });
  return input.gathered(shape, sources);
}

Tensor evaluateReshape(nn::ReshapeOp op, ArrayRef<Tensor> operands) {
  return operands[0].reshaped(resultType(op).getShape());
}

Tensor evaluateTranspose(nn::TransposeOp op, ArrayRef<Tensor> operands) {
  Strides own = rowMajorStrides(operands[0].shape());
  Strides strides;
  for (int64_t dim : op.getPermutation()) strides.push_back(own[dim]);
  return walked(operands[0], resultType(op).getShape(), strides);
}

Tensor evaluateBroadcast(nn::BroadcastOp op, ArrayRef<Tensor> operands) {
  ArrayRef<int64_t> shape = resultType(op).getShape();
  return walked(operands[0], shape,
                broadcastStrides(operands[0].shape(), shape));
}

Tensor evaluateSlice(nn::SliceOp op, ArrayRef<Tensor> operands) {
  Strides strides = rowMajorStrides(operands[0].shape());
  int64_t begin = 0;
  for (auto [offset, stride] : llvm::zip(op.getOffsets(), strides))
    begin += offset * stride;
  return walked(operands[0], resultType(op).getShape(), strides, begin);
}

Tensor evaluatePart(nn::PartOp op, ArrayRef<Tensor> operands) {
  auto dim = static_cast<int64_t>(op.getDim());
  Strides strides = rowMajorStrides(operands[1].shape());
  int64_t last = operands[1].shape()[dim] - 1;
  int64_t begin =
      std::clamp<int64_t>(operands[0].integers()[0], 0, last) * strides[dim];
  strides.erase(strides.begin() + dim);
  return walked(operands[1], resultType(op).getShape(), strides, begin);
}

/// Pads dimension by dimension.
Tensor evaluatePad(nn::PadOp op, ArrayRef<Tensor> operands) {
  Tensor result = operands[0];
  for (int64_t dim = 0; dim < result.rank(); ++dim) {
    auto zeros = [&](int64_t extent) {
      SmallVector<int64_t> shape(result.shape());
      shape[dim] = extent;
      return Tensor::splat(RankedTensorType::get(shape, result.elementType()),
                           0);
    };
    result = joined({zeros(op.getLow()[dim]), result, zeros(op.getHigh()[dim])},
                    dim);
  }
  return result;
}

Tensor evaluateConcat(nn::ConcatOp op, ArrayRef<Tensor> operands) {
  return joined(operands, op.getDim());
}

}  // namespace

void addShapeEvaluators(Evaluators& evaluators) {
  evaluators.add<nn::ConstantOp>(evaluateConstant);
  evaluators.add<nn::IotaOp>(evaluateIota);
  evaluators.add<nn::ReshapeOp>(evaluateReshape);
  evaluators.add<nn::TransposeOp>(evaluateTranspose);
  evaluators.add<nn::BroadcastOp>(evaluateBroadcast);
  evaluators.add<nn::SliceOp>(evaluateSlice);
  evaluators.add<nn::PartOp>(evaluatePart);
  evaluators.add<nn::PadOp>(evaluatePad);
  evaluators.add<nn::ConcatOp>(evaluateConcat);
}

}  // namespace sbp::interpreter
