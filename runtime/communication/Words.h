// The words that a rank gives to all others in an exchange of words.

#ifndef RUNTIME_COMMUNICATION_WORDS_H_
#define RUNTIME_COMMUNICATION_WORDS_H_

#include <array>
#include <cstdint>

namespace sbp::communication {

/// Half a cache line of words. Their meaning is up to the ranks that exchange
/// them.
using Words = std::array<uint64_t, 4>;

/// Largest number of exchanges that may be under way on a rank: offered, but
/// not taken.
inline constexpr int64_t kMostWordsOffered = 65;

/// Number of sets of words on a board. A rank that offers once per take may be
/// ahead of another one by as many offers as that one has still to take.
inline constexpr int64_t kWordTurns = 2 * kMostWordsOffered;

}  // namespace sbp::communication

#endif  // RUNTIME_COMMUNICATION_WORDS_H_
