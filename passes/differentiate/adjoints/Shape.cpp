// Adjoints of the ops that rearrange elements: each is the arrangement back.

#include "dialects/nn/Nn.h"
#include "passes/differentiate/adjoints/Adjoint.h"
#include "passes/differentiate/adjoints/Adjoints.h"

namespace sbp {
namespace {

Gradients ofReshape(nn::ReshapeOp op, Term g) {
  return {g.reshaped(g.at(op.getInput()).shape())};
}

Gradients ofTranspose(nn::TransposeOp op, Term g) {
  SmallVector<int64_t> inverse(op.getPermutation().size());
  for (auto [dim, source] : llvm::enumerate(op.getPermutation()))
    inverse[source] = dim;
  return {g.build<nn::TransposeOp>(g, inverse)};
}

// What is repeated is summed: by whoever asks for the gradient.
Gradients ofBroadcast(nn::BroadcastOp, Term g) { return {g}; }

Gradients ofSlice(nn::SliceOp op, Term g) {
  SmallVector<int64_t> high;
  for (auto [extent, offset, size] :
       llvm::zip(g.at(op.getInput()).shape(), op.getOffsets(), op.getSizes()))
    high.push_back(extent - offset - size);
  return {g.build<nn::PadOp>(g, op.getOffsets(), high)};
}

Gradients ofPad(nn::PadOp op, Term g) {
  return {g.build<nn::SliceOp>(g, op.getLow(), g.at(op.getInput()).shape())};
}

Gradients ofConcat(nn::ConcatOp op, Term g) {
  Gradients gradients;
  SmallVector<int64_t> offsets(g.shape().size(), 0);
  for (Value input : op.getInputs()) {
    ArrayRef<int64_t> shape = g.at(input).shape();
    gradients.push_back(g.build<nn::SliceOp>(g, offsets, shape));
    offsets[op.getDim()] += shape[op.getDim()];
  }
  return gradients;
}

}  // namespace

void attachShapeAdjoints(MLIRContext* context) {
  attachAdjoints<ofReshape, ofTranspose, ofBroadcast, ofSlice, ofPad, ofConcat>(
      context);
}

}  // namespace sbp
