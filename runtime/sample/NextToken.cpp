#include "runtime/sample/NextToken.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "runtime/math/Elementary.h"

namespace sbp::sample {

int64_t nextToken(const float* logits, int64_t count, const Choice& choice,
                  double uniform) {
  const auto scoreOf = [&](int64_t token) {
    const float score = logits[token];
    return score == score ? score : -std::numeric_limits<float>::infinity();
  };
  // All tokens, best first.
  std::vector<int64_t> tokens(count);
  std::iota(tokens.begin(), tokens.end(), 0);
  std::sort(tokens.begin(), tokens.end(), [&](int64_t left, int64_t right) {
    const float leftScore = scoreOf(left), rightScore = scoreOf(right);
    return leftScore != rightScore ? leftScore > rightScore : left < right;
  });
  if (choice.temperature <= 0) return tokens[0];
  if (choice.topK > 0 && choice.topK < count) tokens.resize(choice.topK);

  // Weights relative to the best token, which has weight 1: nothing overflows,
  // and the sum is positive.
  const double best = scoreOf(tokens[0]);
  std::vector<double> weights;
  for (int64_t token : tokens) {
    const double score = scoreOf(token);
    weights.push_back(
        score == best ? 1
                      : math::exponential((score - best) / choice.temperature));
  }
  double rest = uniform * std::accumulate(weights.begin(), weights.end(), 0.0);
  for (size_t i = 0; i < tokens.size(); ++i) {
    rest -= weights[i];
    if (rest < 0) return tokens[i];
  }
  return tokens[0];  // reached by rounding only
}

}  // namespace sbp::sample
