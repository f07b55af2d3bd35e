// Which iterations of an op's loops a micro-batch runs, as ops ask when they
// are built on parts of tensors.

#ifndef PASSES_MICROBATCHES_SAMPLESHARD_H_
#define PASSES_MICROBATCHES_SAMPLESHARD_H_

#include <functional>

#include "dialects/sbp/DistributedOp.h"

namespace sbp {

class SampleShard : public Shard {
 public:
  /// A micro-batch runs some iterations of `sampleLoop`, and all of others.
  /// `anyNumber` makes a tensor<i64>.
  SampleShard(int64_t sampleLoop, std::function<Value()> anyNumber)
      : sampleLoop_(sampleLoop), anyNumber_(std::move(anyNumber)) {}

  bool isSplit(int64_t loop) override { return loop == sampleLoop_; }

  /// Samples of a micro-batch do not follow each other in the batch, so there
  /// is no answer: an op that asks is not to be used (`isAsked`).
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
