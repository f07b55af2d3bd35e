// What one rank tells all others in an exchange of words.

#ifndef RUNTIME_COMMUNICATION_WORDS_H_
#define RUNTIME_COMMUNICATION_WORDS_H_

#include <array>
#include <cstdint>

namespace sbp::communication {

/// As many as fit into half a cache line. What they mean is between those who
/// exchange them.
using Words = std::array<uint64_t, 4>;

/// So many exchanges may be under way on a rank: offered and not taken.
inline constexpr int64_t kMostWordsOffered = 65;

/// A rank that offers words once for each that it takes can be as far ahead of
/// another one as that is of what it has still to take.
inline constexpr int64_t kWordTurns = 2 * kMostWordsOffered;

}  // namespace sbp::communication

#endif  // RUNTIME_COMMUNICATION_WORDS_H_
