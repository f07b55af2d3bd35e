// The number of parts into which a training step divides its batch.

#ifndef PASSES_MICROBATCHES_BATCHPARTS_H_
#define PASSES_MICROBATCHES_BATCHPARTS_H_

#include <cstdint>

namespace sbp {

struct BatchParts {
  int64_t microBatches = 1;
  /// Parts that a schedule divides each micro-batch into, as chimera in halves:
  /// each is computed like a micro-batch.
  int64_t ofMicroBatch = 1;

  int64_t count() const { return microBatches * ofMicroBatch; }
};

}  // namespace sbp

#endif  // PASSES_MICROBATCHES_BATCHPARTS_H_
