#include "passes/microbatches/Batch.h"

#include "dialects/nn/Nn.h"

namespace sbp {

RankedTensorType Batch::sliceType(RankedTensorType whole, int64_t dim) const {
  SmallVector<int64_t> shape(whole.getShape());
  shape[dim] /= numMicroBatches;
  return whole.clone(shape);
}

SmallVector<int64_t> Batch::dividedShape(ArrayRef<int64_t> whole,
                                         int64_t dim) const {
  SmallVector<int64_t> shape(whole);
  const int64_t elements = shape[dim] / samples;
  shape[dim] = samples / numMicroBatches;
  shape.insert(shape.begin() + dim + 1, numMicroBatches);
  if (elements > 1) shape.insert(shape.begin() + dim + 2, elements);
  return shape;
}

Value Batch::buildSlice(OpBuilder& builder, Location location, Value microBatch,
                        Value divided, int64_t dim,
                        RankedTensorType slice) const {
  Value own = nn::PartOp::create(builder, location, microBatch, divided,
                                 /*dim=*/dim + 1);
  if (own.getType() == slice) return own;
  return nn::ReshapeOp::create(builder, location, slice, own);
}

}  // namespace sbp
