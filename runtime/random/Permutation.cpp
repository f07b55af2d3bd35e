#include "runtime/random/Permutation.h"

#include "runtime/random/Philox.h"

namespace sbp::random {

Permutation::Permutation(int64_t size, uint64_t key, uint64_t stream)
    : size(uint64_t(size)), key(key), stream(stream) {
  // Find the least even number of bits in which size - 1 fits. The domain is
  // then at most four times `size`, so a walk takes fewer than four steps on
  // average.
  while (halfBits < 32 && (this->size - 1) >> (2 * halfBits) != 0) ++halfBits;
}

uint64_t Permutation::scramble(uint64_t value) const {
  constexpr uint64_t kRounds = 4;
  const uint64_t mask = (uint64_t{1} << halfBits) - 1;
  uint64_t left = value >> halfBits;
  uint64_t right = value & mask;
  for (uint64_t round = 0; round < kRounds; ++round) {
    const uint64_t mixed = philox(key, round << 32 | right, stream)[0];
    const uint64_t next = left ^ (mixed & mask);
    left = right;
    right = next;
  }
  return left << halfBits | right;
}

int64_t Permutation::operator()(int64_t index) const {
  uint64_t value = uint64_t(index);
  do {
    value = scramble(value);
  } while (value >= size);
  return int64_t(value);
}

}  // namespace sbp::random
