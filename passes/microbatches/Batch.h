// The batch of an entry, and the micro-batches into which it is divided.
//
// `samples` samples are divided into n micro-batches; micro-batch k has the
// samples k, k + n, k + 2n ... Ranks that split the samples have a
// contiguous range each. A range of n or more samples has some of every
// micro-batch, and a rank takes these out without communication.
//
// If the schedule divides micro-batches further (BatchParts.h), n is the
// number of these smaller parts, and each of them is called a micro-batch here
// and in the other files of this folder.
//
// A dimension may hold several consecutive elements of each sample, for example
// after `nn.reshape` of 8 x 32 tokens to 256. It then still runs over the
// samples, with 32 elements of each.

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

  /// Returns the type of one micro-batch's elements of a tensor. The tensor has
  /// the type `whole`, and its dimension `dim` runs over the samples.
  RankedTensorType sliceType(RankedTensorType whole, int64_t dim) const;

  /// Returns the shape in which dimension `dim` of `whole` is replaced by
  /// three: the samples of a micro-batch, the micro-batches, and the elements
  /// of a sample. The third is left out if a sample has one element.
  SmallVector<int64_t> dividedShape(ArrayRef<int64_t> whole, int64_t dim) const;

  /// Builds ops that take the elements of one micro-batch out of `divided`, a
  /// tensor with the shape that dividedShape() returns for `dim`. `microBatch`
  /// is the index of the micro-batch, a scalar tensor<i64>. The result has type
  /// `slice`; its dimension `dim` runs over the samples of the micro-batch.
  Value buildSlice(OpBuilder& builder, Location location, Value microBatch,
                   Value divided, int64_t dim, RankedTensorType slice) const;
};

}  // namespace sbp

#endif  // PASSES_MICROBATCHES_BATCH_H_
