#include "runtime/random/Philox.h"

#include "runtime/hash/TextHash.h"
#include "runtime/math/Elementary.h"

namespace sbp::random {
namespace {

constexpr double kTwoToMinus53 = 0x1p-53;

uint64_t join(uint32_t high, uint32_t low) {
  return uint64_t(high) << 32 | low;
}

}  // namespace

std::array<uint32_t, 4> philox(uint64_t key, uint64_t counterLow,
                               uint64_t counterHigh) {
  constexpr uint64_t kMultiplier0 = 0xD2511F53;
  constexpr uint64_t kMultiplier1 = 0xCD9E8D57;
  constexpr uint32_t kWeyl0 = 0x9E3779B9;
  constexpr uint32_t kWeyl1 = 0xBB67AE85;
  constexpr int kRounds = 10;

  std::array<uint32_t, 4> c = {uint32_t(counterLow), uint32_t(counterLow >> 32),
                               uint32_t(counterHigh),
                               uint32_t(counterHigh >> 32)};
  uint32_t key0 = uint32_t(key);
  uint32_t key1 = uint32_t(key >> 32);
  for (int round = 0; round < kRounds; ++round) {
    const uint64_t product0 = kMultiplier0 * c[0];
    const uint64_t product1 = kMultiplier1 * c[2];
    c = {uint32_t(product1 >> 32) ^ c[1] ^ key0, uint32_t(product1),
         uint32_t(product0 >> 32) ^ c[3] ^ key1, uint32_t(product0)};
    key0 += kWeyl0;
    key1 += kWeyl1;
  }
  return c;
}

uint64_t streamOf(std::string_view name) { return hash::ofText(name); }

double uniform(uint64_t key, uint64_t stream, uint64_t index) {
  const auto bits = philox(key, index, stream);
  return double(join(bits[0], bits[1]) >> 11) * kTwoToMinus53;
}

double normal(uint64_t key, uint64_t stream, uint64_t index) {
  // Box-Muller. The radius is drawn from (0, 1], so that its logarithm is
  // finite.
  const auto bits = philox(key, index, stream);
  const double radius =
      double((join(bits[0], bits[1]) >> 11) + 1) * kTwoToMinus53;
  const double angle = double(join(bits[2], bits[3]) >> 11) * kTwoToMinus53;
  return math::squareRoot(-2 * math::naturalLogarithm(radius)) *
         math::cosineOfTurns(angle);
}

}  // namespace sbp::random
