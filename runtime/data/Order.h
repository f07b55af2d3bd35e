// The order in which a run reads samples.
//
// Samples are read from a stream, which is a sequence of epochs. Each epoch
// contains all samples once, in a random order that depends on the seed and the
// epoch, or in the order of the file. Step s reads positions [s*batch,
// (s+1)*batch) of the stream, unless Feed::continueAt() shifts them. A batch
// may contain the end of one epoch and the beginning of the next, so no sample
// is left out. Every rank computes the same stream and reads only its own box
// of each batch.

#ifndef RUNTIME_DATA_ORDER_H_
#define RUNTIME_DATA_ORDER_H_

#include <cstdint>

namespace sbp::data {

/// The index of a sample, and the epoch in which it is read; both count from 0.
struct EpochSample {
  int64_t epoch = 0;
  int64_t sample = 0;
};

/// The stream of samples, as a function of the position.
class Order {
 public:
  /// The order of the samples within an epoch.
  enum class Kind {
    kShuffled,    // by the seed, differently in each epoch
    kSequential,  // in the order of the file
  };

  /// Creates the stream of `numSamples` > 0 samples.
  Order(Kind kind, int64_t numSamples, uint64_t seed)
      : kind(kind), numSamples(numSamples), seed(seed) {}

  /// Returns the sample at `position` >= 0 of the stream.
  EpochSample operator()(int64_t position) const;

 private:
  Kind kind;
  int64_t numSamples;
  uint64_t seed;
};

}  // namespace sbp::data

#endif  // RUNTIME_DATA_ORDER_H_
