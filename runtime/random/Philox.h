// Random numbers that are a function: of a key and a counter, of nothing
// before.
//
// A generator with a state gives the i-th number to whoever asks i-th; ranks
// that hold different parts of a tensor would have to agree on an order.
// Philox4x32-10 scrambles a 128-bit counter under a 64-bit key, so that element
// i of a parameter, or the i-th byte of a sampled text, gets its number from i.
//
// Paper: Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (SC
// 2011); the test holds the paper's known answers.

#ifndef RUNTIME_RANDOM_PHILOX_H_
#define RUNTIME_RANDOM_PHILOX_H_

#include <array>
#include <cstdint>
#include <string_view>

namespace sbp::random {

/// 128 random bits.
std::array<uint32_t, 4> philox(uint64_t key, uint64_t counterLow,
                               uint64_t counterHigh);

/// What a sequence of random numbers is for, as the high half of a counter:
/// different names give independent sequences under one key.
uint64_t streamOf(std::string_view name);

/// Number `index` of `stream` under `key`, uniform in [0, 1), 53 bits.
double uniform(uint64_t key, uint64_t stream, uint64_t index);

/// Number `index` of `stream` under `key` from the standard normal
/// distribution.
double normal(uint64_t key, uint64_t stream, uint64_t index);

}  // namespace sbp::random

#endif  // RUNTIME_RANDOM_PHILOX_H_
