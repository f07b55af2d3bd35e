#include "passes/search/chain/Units.h"

#include <algorithm>
#include <cmath>

namespace sbp::search {
namespace {

/// Factor by which plans may exceed the estimate, which has no moves and
/// assumes unlimited memory.
constexpr double kSpare = 64;

/// Estimates the time of a step: work evenly divided, and weights synchronised.
double estimateSeconds(const Chain& chain) {
  double devices = 1, rounds = 0, secondsPerByte = 0;
  for (const Level& level : chain.levels) {
    auto count = static_cast<double>(level.count);
    devices *= count;
    rounds += (count - 1) * level.link.alpha;
    secondsPerByte += (count - 1) / count * level.link.beta;
  }
  auto microBatches = static_cast<double>(chain.microBatches);
  auto secondsOf = [&](const Block& block) {
    double seconds = 0;
    for (const Op& op : block.ops) {
      double bytes = op.readBytes + op.madeBytes;
      seconds += 3 * microBatches / devices *
                 std::max(op.flops / chain.processor.flopsPerSecond,
                          bytes / chain.processor.bytesPerSecond);
      double weights = chain.bytesPerParameter * op.parameters;
      if (weights > 0) seconds += 2 * (rounds + secondsPerByte * weights);
    }
    return seconds;
  };
  double seconds = secondsOf(chain.head) + secondsOf(chain.tail);
  for (const Repetition& part : chain.body)
    for (int64_t block : part.blocks)
      seconds +=
          static_cast<double>(part.times) * secondsOf(chain.blocks[block]);
  return seconds;
}

}  // namespace

Chain inFittingUnit(Chain chain) {
  const double exactSeconds = secondsOf(std::ldexp(1.0, 53));
  double unit = 1;
  if (double most = kSpare * estimateSeconds(chain); most > exactSeconds)
    unit = std::exp2(std::ceil(std::log2(most / exactSeconds)));
  for (Level& level : chain.levels) {
    level.link.alpha /= unit;
    level.link.beta /= unit;
  }
  chain.processor.flopsPerSecond *= unit;
  chain.processor.bytesPerSecond *= unit;
  chain.secondsPerUnit *= unit;
  return chain;
}

}  // namespace sbp::search
