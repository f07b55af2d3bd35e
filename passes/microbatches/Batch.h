// The batch of an entry, and the micro-batches into which it is divided.
//
// The batch has `samples` samples, divided into n micro-batches. Micro-batch k
// has the samples k, k + n, k + 2n ... Ranks that split the samples have a
// contiguous range each. A range of n or more samples has samples of every
// micro-batch, and a rank can take these out without communication.
//
// If the schedule divides micro-batches further (BatchParts.h), n is the number
// of the resulting parts. The files of this folder call each of these parts a
// micro-batch.
//
// A dimension that runs over the samples may hold several consecutive elements
// of each sample. For example, after `nn.reshape` of 8 x 32 tokens to 256, the
// dimension has 32 elements of each of 8 samples.

#ifndef PASSES_MICROBATCHES_BATCH_H_
#define PASSES_MICROBATCHES_BATCH_H_

#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinTypes.h"

namespace sbp {

/// The samples of a batch, and the number of micro-batches.
struct Batch {
  int64_t samples = 1;          // of the batch
  int64_t numMicroBatches = 1;  // divides `samples`

  /// Whether a dimension of `extent` elements can run over the samples.
  bool divides(int64_t extent) const {
    return extent > 0 && extent % samples == 0;
  }

  /// Returns the type of a tensor's elements that belong to one micro-batch.
  /// `whole` is the type of the tensor, whose dimension `dim` runs over the
  /// samples.
  RankedTensorType sliceType(RankedTensorType whole, int64_t dim) const;

  /// Returns the shape `whole` with dimension `dim` replaced by three: the
  /// samples of a micro-batch, the micro-batches, and the elements of a sample.
  /// The third is left out if a sample has one element.
  SmallVector<int64_t> dividedShape(ArrayRef<int64_t> whole, int64_t dim) const;

  /// Builds ops that take the elements of one micro-batch out of `divided`, a
  /// tensor with the shape that dividedShape() returns for `dim`. `microBatch`
  /// is the index of the micro-batch, a scalar tensor<i64>. Dimension `dim` of
  /// the result, whose type is `slice`, runs over the samples of the
  /// micro-batch.
  Value buildSlice(OpBuilder& builder, Location location, Value microBatch,
                   Value divided, int64_t dim, RankedTensorType slice) const;
};

}  // namespace sbp

#endif  // PASSES_MICROBATCHES_BATCH_H_
