// The batch of an entry, and the micro-batches that it is divided into.
//
// `samples` samples go into `parts` micro-batches: micro-batch k has the
// samples k, k + parts, k + 2 parts ... So where ranks share the samples, each
// has some of every micro-batch, and cuts them from what it has.
//
// A dimension may hold several elements of each sample, one sample after the
// other, as after `nn.reshape` of 8 x 32 tokens to 256: it still runs over the
// samples, with 32 elements of each.

#ifndef PASSES_MICROBATCHES_BATCH_H_
#define PASSES_MICROBATCHES_BATCH_H_

#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinTypes.h"

namespace sbp {

struct Batch {
  int64_t samples = 1;
  int64_t parts = 1;

  /// Whether a dimension of `extent` elements can run over the samples.
  bool divides(int64_t extent) const {
    return extent > 0 && extent % samples == 0;
  }

  /// The type of one micro-batch's part of a tensor of type `whole`, whose
  /// dimension `dim` runs over the samples.
  RankedTensorType partOf(RankedTensorType whole, int64_t dim) const;

  /// The shape in which dimension `dim` of `whole` is three: the samples of a
  /// micro-batch, the micro-batches, and the elements of a sample. The last is
  /// left out when there is one.
  SmallVector<int64_t> inParts(ArrayRef<int64_t> whole, int64_t dim) const;

  /// Builds the part of micro-batch `number`, a tensor<i64>, of a tensor of
  /// shape `inParts`; dimension `dim` of the result runs over its samples.
  Value takePart(OpBuilder& builder, Location location, Value number,
                 Value inParts, int64_t dim, RankedTensorType part) const;
};

}  // namespace sbp

#endif  // PASSES_MICROBATCHES_BATCH_H_
