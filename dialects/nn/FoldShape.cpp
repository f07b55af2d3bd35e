// Folds of ops that rearrange, repeat, cut or join tensors. An op that changes
// nothing folds to its operand, and two ops of one kind in a row fold to one.

#include "dialects/nn/Folds.h"
#include "dialects/nn/Nn.h"
#include "dialects/nn/Shapes.h"
#include "mlir/IR/PatternMatch.h"

namespace sbp::nn {
namespace {

/// Whether the only operand of `op` can take the place of its result, because
/// both have the same type. The caller must know that `op` does not reorder
/// elements, as a transpose can without changing the shape.
bool keepsOperand(Operation* op) {
  return isUnmarked(op) && op->getNumOperands() == 1 &&
         op->getOperand(0).getType() == op->getResult(0).getType();
}

/// Returns the sums of two lists of one length.
SmallVector<int64_t> sums(ArrayRef<int64_t> first, ArrayRef<int64_t> second) {
  SmallVector<int64_t> result;
  for (auto [a, b] : llvm::zip(first, second)) result.push_back(a + b);
  return result;
}

/// Replaces `op`, which takes elements of its operand, by a constant if the
/// operand is a constant of one repeated element. The constant has the name of
/// `op`.
template <typename Op>
LogicalResult takeRepeatedElement(Op op, mlir::PatternRewriter& rewriter) {
  auto constant = absorbed<ConstantOp>(op, op.getInput());
  if (!constant || !constant.isSplat()) return failure();
  auto type = llvm::cast<RankedTensorType>(op.getType());
  auto value = llvm::cast<mlir::DenseElementsAttr>(constant.getValue());
  rewriter.replaceOpWithNewOp<ConstantOp>(op, type, value.resizeSplat(type));
  return success();
}

}  // namespace

// ---- Reshape, transpose, broadcast ------------------------------------------

mlir::OpFoldResult ReshapeOp::fold(FoldAdaptor) {
  if (keepsOperand(*this)) return getInput();
  if (auto inner = absorbed<ReshapeOp>(*this, getInput())) {
    getInputMutable().assign(inner.getInput());
    return getResult();
  }
  return {};
}

void ReshapeOp::getCanonicalizationPatterns(mlir::RewritePatternSet& patterns,
                                            MLIRContext*) {
  patterns.add(takeRepeatedElement<ReshapeOp>);
}

mlir::OpFoldResult TransposeOp::fold(FoldAdaptor) {
  ArrayRef<int64_t> permutation = getPermutation();
  if (llvm::is_sorted(permutation))
    return keepsOperand(*this) ? getInput() : Value();
  if (auto inner = absorbed<TransposeOp>(*this, getInput())) {
    SmallVector<int64_t> joined;
    for (int64_t dim : permutation)
      joined.push_back(inner.getPermutation()[dim]);
    setPermutation(joined);
    getInputMutable().assign(inner.getInput());
    return getResult();
  }
  return {};
}

void TransposeOp::getCanonicalizationPatterns(mlir::RewritePatternSet& patterns,
                                              MLIRContext*) {
  patterns.add(takeRepeatedElement<TransposeOp>);
}

mlir::OpFoldResult BroadcastOp::fold(FoldAdaptor) {
  if (keepsOperand(*this)) return getInput();
  if (auto inner = absorbed<BroadcastOp>(*this, getInput())) {
    getInputMutable().assign(inner.getInput());
    return getResult();
  }
  return {};
}

// ---- Slice, pad, concat -----------------------------------------------------

mlir::OpFoldResult SliceOp::fold(FoldAdaptor) {
  if (keepsOperand(*this)) return getInput();
  if (auto inner = absorbed<SliceOp>(*this, getInput())) {
    setOffsets(sums(inner.getOffsets(), getOffsets()));
    getInputMutable().assign(inner.getInput());
    return getResult();
  }
  // A slice of exactly the operand of the padding.
  if (auto pad = absorbed<PadOp>(*this, getInput()))
    if (getOffsets() == pad.getLow() && getSizes() == shapeOf(pad.getInput()))
      return pad.getInput();
  return {};
}

void SliceOp::getCanonicalizationPatterns(mlir::RewritePatternSet& patterns,
                                          MLIRContext*) {
  patterns.add(takeRepeatedElement<SliceOp>);
}

mlir::OpFoldResult PadOp::fold(FoldAdaptor) {
  if (keepsOperand(*this)) return getInput();
  if (auto inner = absorbed<PadOp>(*this, getInput())) {
    setLow(sums(inner.getLow(), getLow()));
    setHigh(sums(inner.getHigh(), getHigh()));
    getInputMutable().assign(inner.getInput());
    return getResult();
  }
  return {};
}

mlir::OpFoldResult ConcatOp::fold(FoldAdaptor) {
  return keepsOperand(*this) ? getInputs().front() : Value();
}

}  // namespace sbp::nn
