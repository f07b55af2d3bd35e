// Adjoints of the ops that rearrange elements. Each adjoint is the reverse
// rearrangement.

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

// Backward::add sums over the dimensions along which elements are repeated.
Gradients ofBroadcast(nn::BroadcastOp, Term g) { return {g}; }

Gradients ofSlice(nn::SliceOp op, Term g) {
  SmallVector<int64_t> high;
  for (auto [extent, offset, size] :
       llvm::zip(g.at(op.getInput()).shape(), op.getOffsets(), op.getSizes()))
    high.push_back(extent - offset - size);
  return {g.build<nn::PadOp>(g, op.getOffsets(), high)};
}

// Elements outside of the part have zero gradients. An index out of range takes
// the nearest part.
Gradients ofPart(nn::PartOp op, Term g) {
  auto type = llvm::cast<RankedTensorType>(op.getInput().getType());
  const int64_t dim = op.getDim(), last = type.getDimSize(dim) - 1;
  Term index = g.at(op.getIndex());
  Term nearest = index.at(
      index.build<nn::MinOp>(index.build<nn::MaxOp>(index, index.scalar(0)),
                             index.scalar(static_cast<double>(last))));
  SmallVector<int64_t> one(type.getShape());
  one[dim] = 1;
  SmallVector<int64_t> along(type.getRank(), 1);
  along[dim] = type.getDimSize(dim);
  Term place = g.at(g.build<nn::IotaOp>(
      RankedTensorType::get(along, index.elementType()), Value(), dim));
  return {Value(),
          select(isEqual(place, nearest), g.reshaped(one), g.scalar(0))};
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
  attachAdjoints<ofReshape, ofTranspose, ofBroadcast, ofSlice, ofPart, ofPad,
                 ofConcat>(context);
}

}  // namespace sbp
