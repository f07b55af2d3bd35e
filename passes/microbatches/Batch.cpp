#include "passes/microbatches/Batch.h"

#include "dialects/nn/Nn.h"

namespace sbp {

RankedTensorType Batch::partOf(RankedTensorType whole, int64_t dim) const {
  SmallVector<int64_t> shape(whole.getShape());
  shape[dim] /= parts;
  return whole.clone(shape);
}

SmallVector<int64_t> Batch::inParts(ArrayRef<int64_t> whole,
                                    int64_t dim) const {
  SmallVector<int64_t> shape(whole);
  const int64_t elements = shape[dim] / samples;
  shape[dim] = samples / parts;
  shape.insert(shape.begin() + dim + 1, parts);
  if (elements > 1) shape.insert(shape.begin() + dim + 2, elements);
  return shape;
}

Value Batch::takePart(OpBuilder& builder, Location location, Value microBatch,
                      Value inParts, int64_t dim, RankedTensorType part) const {
  Value own = nn::PartOp::create(builder, location, microBatch, inParts,
                                 /*dim=*/dim + 1);
  if (own.getType() == part) return own;
  return nn::ReshapeOp::create(builder, location, part, own);
}

}  // namespace sbp
