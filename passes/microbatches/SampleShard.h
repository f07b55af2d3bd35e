// Tells an op that is built for a micro-batch which of its loops runs over the
// samples of the micro-batch only.

#ifndef PASSES_MICROBATCHES_SAMPLESHARD_H_
#define PASSES_MICROBATCHES_SAMPLESHARD_H_

#include <functional>

#include "dialects/sbp/DistributedOp.h"

namespace sbp {

/// The iterations of an op in one micro-batch.
class SampleShard : public Shard {
 public:
  /// A micro-batch runs some iterations of `sampleLoop`, and all iterations of
  /// other loops. `anyNumber` returns a scalar tensor<i64> of any value.
  SampleShard(int64_t sampleLoop, std::function<Value()> anyNumber)
      : sampleLoop_(sampleLoop), anyNumber_(std::move(anyNumber)) {}

  bool isSplit(int64_t loop) override { return loop == sampleLoop_; }

  /// Returns a placeholder. The samples of a micro-batch are not contiguous in
  /// the batch, so there is no offset; the caller must discard an op that asks
  /// for it (`isAsked`).
  Value beginOf(int64_t) override {
    isAsked_ = true;
    return anyNumber_();
  }

  bool isAsked() const { return isAsked_; }

 private:
  int64_t sampleLoop_;
  std::function<Value()> anyNumber_;
  bool isAsked_ = false;
};

}  // namespace sbp

#endif  // PASSES_MICROBATCHES_SAMPLESHARD_H_
