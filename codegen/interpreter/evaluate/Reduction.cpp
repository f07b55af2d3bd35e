// Sums, maxima, minima and means over dimensions.

#include "codegen/interpreter/Monoid.h"
#include "codegen/interpreter/evaluate/AddEvaluators.h"
#include "codegen/interpreter/evaluate/Walk.h"
#include "dialects/nn/Nn.h"

namespace sbp::interpreter {
namespace {

Reduction monoidOf(nn::ReduceKind kind) {
  switch (kind) {
    case nn::ReduceKind::Sum:
    case nn::ReduceKind::Mean:
      return Reduction::Sum;
    case nn::ReduceKind::Max:
      return Reduction::Max;
    case nn::ReduceKind::Min:
      return Reduction::Min;
  }
  llvm_unreachable("a kind is one of four");
}

/// Returns the strides of the result over the dimensions of the input.
Strides resultStrides(nn::ReduceOp op, ArrayRef<int64_t> input,
                      ArrayRef<int64_t> result) {
  Strides own = rowMajorStrides(result);
  Strides strides;
  size_t next = 0;
  for (size_t dim = 0; dim < input.size(); ++dim) {
    bool isReduced =
        llvm::is_contained(op.getDims(), static_cast<int64_t>(dim));
    strides.push_back(isReduced ? 0 : own[next]);
    if (!isReduced || op.getKeep()) ++next;
  }
  return strides;
}

Tensor evaluateReduce(nn::ReduceOp op, ArrayRef<Tensor> operands) {
  RankedTensorType type = resultType(op);
  ArrayRef<int64_t> shape = operands[0].shape();
  Reduction monoid = monoidOf(op.getKind());
  return buildByElement(type.getElementType(), [&](auto zero) {
    using Element = decltype(zero);
    ArrayRef<Element> input = operands[0].elements<Element>();
    std::vector<Element> result(
        type.getNumElements(),
        neutralElement<Element>(monoid, type.getElementType()));
    std::array strides = {rowMajorStrides(shape),
                          resultStrides(op, shape, type.getShape())};
    walk(shape, strides, [&](auto at) {
      result[at[1]] = combine(monoid, result[at[1]], input[at[0]]);
    });
    if (op.getKind() == nn::ReduceKind::Mean)
      for (Element& element : result) element /= op.getDivisor();
    return Tensor(type, std::move(result));
  });
}

}  // namespace

void addReductionEvaluators(Evaluators& evaluators) {
  evaluators.add<nn::ReduceOp>(evaluateReduce);
}

}  // namespace sbp::interpreter
