// Random numbers as a function of a key and a counter, without state.
//
// With a generator that has a state, ranks that hold different parts of a
// tensor would all have to draw the numbers of the whole tensor, in one common
// order. Philox4x32-10 scrambles a 128-bit counter under a 64-bit key, so
// element i of a parameter, or the i-th byte of a sampled text, gets its number
// directly from i.
//
// Source: Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (SC
// 2011). The test contains the paper's known answers.

#ifndef RUNTIME_RANDOM_PHILOX_H_
#define RUNTIME_RANDOM_PHILOX_H_

#include <array>
#include <cstdint>
#include <string_view>

namespace sbp::random {

/// Returns 128 random bits for the key `key` and a 128-bit counter, which is
/// given as two halves.
std::array<uint32_t, 4> philox(uint64_t key, uint64_t counterLow,
                               uint64_t counterHigh);

/// Returns the stream called `name`. A stream is a sequence of random numbers,
/// identified by the high half of the counter, which is a hash of the name.
/// Streams with different names are independent under one key.
uint64_t streamOf(std::string_view name);

/// Returns number `index` of `stream` under `key`, uniformly distributed in [0,
/// 1), with 53 random bits.
double uniform(uint64_t key, uint64_t stream, uint64_t index);

/// Returns number `index` of `stream` under `key`, with the standard normal
/// distribution.
double normal(uint64_t key, uint64_t stream, uint64_t index);

}  // namespace sbp::random

#endif  // RUNTIME_RANDOM_PHILOX_H_
