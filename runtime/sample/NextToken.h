// Random choice of the next token, by the scores that a model gives to all
// tokens.

#ifndef RUNTIME_SAMPLE_NEXTTOKEN_H_
#define RUNTIME_SAMPLE_NEXTTOKEN_H_

#include <cstdint>

namespace sbp::sample {

/// The parameters of sampling.
struct Choice {
  /// Number by which scores are divided before they are converted to
  /// probabilities. 0: the token with the best score is chosen.
  double temperature = 1;

  /// Number of tokens with the best scores to choose from. 0: all tokens.
  int64_t topK = 0;
};

/// Returns one of the tokens [0, count), which have the scores `logits`; count
/// must be above 0. The random number `uniform`, in [0, 1), decides which
/// token. Of two tokens with equal scores the smaller one is better; a score
/// that is NaN counts as minus infinity.
int64_t nextToken(const float* logits, int64_t count, const Choice& choice,
                  double uniform);

}  // namespace sbp::sample

#endif  // RUNTIME_SAMPLE_NEXTTOKEN_H_
