// Describes the part of an op that one micro-batch computes, when the op is
// built for it. One of the op's loops runs over the samples of the micro-batch.

#ifndef PASSES_MICROBATCHES_SAMPLESHARD_H_
#define PASSES_MICROBATCHES_SAMPLESHARD_H_

#include <functional>

#include "dialects/sbp/DistributedOp.h"

namespace sbp {

/// The iterations that an op runs for one micro-batch.
class SampleShard : public Shard {
 public:
  /// Constructs the shard of a micro-batch, which runs some iterations of
  /// `sampleLoop` and all iterations of other loops. `anyNumber` must return a
  /// scalar tensor<i64>, of any value.
  SampleShard(int64_t sampleLoop, std::function<Value()> anyNumber)
      : sampleLoop_(sampleLoop), anyNumber_(std::move(anyNumber)) {}

  bool isSplit(int64_t loop) override { return loop == sampleLoop_; }

  /// Returns a placeholder. The samples of a micro-batch are not contiguous in
  /// the batch, so they have no offset. If an op asks for it, isAsked() is true
  /// and the caller must discard the op.
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
