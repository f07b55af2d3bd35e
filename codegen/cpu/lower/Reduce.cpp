// Kernels of nn.reduce.

#include "codegen/cpu/KernelOp.h"
#include "codegen/cpu/lower/AttachKernels.h"
#include "codegen/kernels/Arithmetic.h"
#include "codegen/kernels/ReduceKinds.h"
#include "codegen/kernels/StridedTensor.h"
#include "dialects/nn/Nn.h"
#include "llvm/ADT/STLExtras.h"

namespace sbp::cpu {

using namespace mlir;
using vector::CombiningKind;

namespace {

Value combine(Arithmetic& x, nn::ReduceKind kind, Value a, Value b) {
  if (kind == nn::ReduceKind::Max) return x.max(a, b);
  if (kind == nn::ReduceKind::Min) return x.min(a, b);
  return x.add(a, b);
}

/// The loops of a reduction. The last reduced dimension, together with the
/// reduced dimensions directly before it, forms the rows that are reduced at
/// once. The dimensions before these are outer loops. An iteration of a reduced
/// outer loop is combined with the results so far.
struct OuterLoops {
  SmallVector<int64_t> extents;
  SmallVector<int64_t> inputStrides;
  SmallVector<int64_t> resultStrides;  // 0: reduced
  RowShape rows;
};

OuterLoops splitLoops(nn::ReduceOp op) {
  ArrayRef<int64_t> shape = op.getInput().getType().getShape();
  SmallVector<int64_t> inputStrides = rowMajorStrides(shape);
  SmallVector<int64_t> resultStrides(shape.size(), 0);
  int64_t stride = 1;
  auto isReduced = [&](int64_t dim) {
    return llvm::is_contained(op.getDims(), dim);
  };
  for (int64_t dim = shape.size(); dim-- > 0;) {
    if (isReduced(dim)) continue;
    resultStrides[dim] = stride;
    stride *= shape[dim];
  }

  OuterLoops loops;
  int64_t dim = shape.size();
  while (dim > 0 && !isReduced(dim - 1)) loops.rows.inner *= shape[--dim];
  while (dim > 0 && isReduced(dim - 1)) loops.rows.length *= shape[--dim];
  loops.extents = llvm::to_vector(shape.take_front(dim));
  loops.inputStrides.assign(inputStrides.begin(), inputStrides.begin() + dim);
  loops.resultStrides.assign(resultStrides.begin(),
                             resultStrides.begin() + dim);
  return loops;
}

void emitReduce(nn::ReduceOp op, KernelBuilder& builder,
                const KernelArguments& arguments) {
  Arithmetic x(builder);
  Type element = op.getInput().getType().getElementType();
  CombiningKind kind = combiningKind(op.getKind(), element);
  OuterLoops loops = splitLoops(op);
  bool hasSeveralTerms = llvm::is_contained(loops.resultStrides, 0);
  bool isMean = op.getKind() == nn::ReduceKind::Mean;

  // Results with several terms begin with the neutral element.
  if (hasSeveralTerms) {
    RowShape nothing{1, 0, op.getResult().getType().getNumElements()};
    arguments.loops.forEachRows(builder, nothing, element, [&](Rows& rows) {
      rows.storeOnePerRow(rows.reduce(kind, nullptr), arguments.results[0]);
    });
  }
  builder.loops(loops.extents, [&](ValueRange indices) {
    ElementRef input = arguments.operands[0];
    ElementRef result = arguments.results[0];
    for (auto [i, index] : llvm::enumerate(indices)) {
      input = builder.at(input, builder.mul(index, loops.inputStrides[i]));
      if (loops.resultStrides[i])
        result = builder.at(result, builder.mul(index, loops.resultStrides[i]));
    }
    arguments.loops.forEachRows(builder, loops.rows, element, [&](Rows& rows) {
      Value value =
          rows.reduce(kind, [&](Rows::At at) { return rows.load(input, at); });
      if (isMean) value = x.div(value, x.like(value, op.getDivisor()));
      if (hasSeveralTerms)
        value = combine(x, op.getKind(), rows.loadOnePerRow(result), value);
      rows.storeOnePerRow(value, result);
    });
  });
}

}  // namespace

void attachReduceKernels(MLIRContext& context) {
  nn::ReduceOp::attachInterface<SimpleKernel<nn::ReduceOp, emitReduce>>(
      context);
}

}  // namespace sbp::cpu
