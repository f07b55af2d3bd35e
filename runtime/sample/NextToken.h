// Choice of the next token by a model's scores.

#ifndef RUNTIME_SAMPLE_NEXTTOKEN_H_
#define RUNTIME_SAMPLE_NEXTTOKEN_H_

#include <cstdint>

namespace sbp::sample {

/// The parameters of sampling.
struct Choice {
  /// Divisor of the scores before they become probabilities. 0: the token with
  /// the best score is chosen.
  double temperature = 1;

  /// Number of tokens to choose among: those with the best scores. 0: all.
  int64_t topK = 0;
};

/// Returns one of the tokens [0, count), which have the scores `logits`; count
/// > 0. `uniform`, a random number in [0, 1), selects it. Of two tokens with
/// equal scores the smaller one is better; a score that is NaN counts as minus
/// infinity.
int64_t nextToken(const float* logits, int64_t count, const Choice& choice,
                  double uniform);

}  // namespace sbp::sample

#endif  // RUNTIME_SAMPLE_NEXTTOKEN_H_
