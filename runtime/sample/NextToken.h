// Choice of the next token by a model's scores.

#ifndef RUNTIME_SAMPLE_NEXTTOKEN_H_
#define RUNTIME_SAMPLE_NEXTTOKEN_H_

#include <cstdint>

namespace sbp::sample {

/// The parameters of sampling.
struct Choice {
  /// Divisor of the scores before they become probabilities; 0 takes the best
  /// token.
  double temperature = 1;

  /// Number of best tokens that are considered; 0: all.
  int64_t topK = 0;
};

/// Returns the token that `uniform`, in [0, 1), selects among `count` > 0
/// tokens with the scores `logits`. Among equal scores the smaller token is the
/// better one; a NaN counts as minus infinity.
int64_t nextToken(const float* logits, int64_t count, const Choice& choice,
                  double uniform);

}  // namespace sbp::sample

#endif  // RUNTIME_SAMPLE_NEXTTOKEN_H_
