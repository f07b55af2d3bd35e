// The number of parts into which a training step divides its batch.

#ifndef PASSES_MICROBATCHES_BATCHPARTS_H_
#define PASSES_MICROBATCHES_BATCHPARTS_H_

#include <cstdint>

namespace sbp {

/// The division of a batch.
struct BatchParts {
  int64_t microBatches = 1;
  /// Number of parts into which the schedule divides each micro-batch; chimera,
  /// for example, halves them. Each part is computed like a micro-batch.
  int64_t perMicroBatch = 1;

  /// Returns the number of parts of the batch.
  int64_t count() const { return microBatches * perMicroBatch; }
};

}  // namespace sbp

#endif  // PASSES_MICROBATCHES_BATCHPARTS_H_
