// Which sample stands where in the stream that training reads.
//
// The stream is epoch after epoch, each a random order of all samples that the
// seed decides; step s reads positions [s*batch, (s+1)*batch). A batch may end
// one epoch and begin the next, so no sample is ever left out. Every rank
// computes the same stream and reads its own part of each batch.

#ifndef RUNTIME_DATA_ORDER_H_
#define RUNTIME_DATA_ORDER_H_

#include <cstdint>

namespace sbp::data {

/// A sample of an epoch.
struct Pick {
  int64_t epoch = 0;
  int64_t sample = 0;
};

class Order {
 public:
  enum class Kind {
    kShuffled,    // by the seed, differently in each epoch
    kSequential,  // as the samples are
  };

  /// `numSamples` must be positive.
  Order(Kind kind, int64_t numSamples, uint64_t seed)
      : kind(kind), numSamples(numSamples), seed(seed) {}

  /// The sample at `position` of the stream.
  Pick operator()(int64_t position) const;

 private:
  Kind kind;
  int64_t numSamples;
  uint64_t seed;
};

}  // namespace sbp::data

#endif  // RUNTIME_DATA_ORDER_H_
