// Which token follows, given a model's scores of all tokens.

#ifndef RUNTIME_SAMPLE_NEXTTOKEN_H_
#define RUNTIME_SAMPLE_NEXTTOKEN_H_

#include <cstdint>

namespace sbp::sample {

struct Choice {
  /// Scores are divided by this before they become probabilities; 0 takes the
  /// best.
  double temperature = 1;

  /// Only so many of the best are considered; 0: all.
  int64_t topK = 0;
};

/// The token that `uniform`, in [0, 1), chooses among `count` > 0 tokens with
/// these scores (logits). Of equal scores the earlier token is the better; a
/// NaN is worse than any score.
int64_t nextToken(const float* logits, int64_t count, const Choice& choice,
                  double uniform);

}  // namespace sbp::sample

#endif  // RUNTIME_SAMPLE_NEXTTOKEN_H_
