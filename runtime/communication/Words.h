// The words that a rank gives to all others in an exchange of words.

#ifndef RUNTIME_COMMUNICATION_WORDS_H_
#define RUNTIME_COMMUNICATION_WORDS_H_

#include <array>
#include <cstdint>

namespace sbp::communication {

/// Four 64-bit words, half a cache line. The ranks that exchange them decide
/// what they mean.
using Words = std::array<uint64_t, 4>;

/// Largest number of offers that a rank may have made and not taken yet
/// (WordExchange.h).
inline constexpr int64_t kMostWordsOffered = 65;

/// Number of sets of words on a board (RankMemory.h). A rank may have made up
/// to kMostWordsOffered more offers than another rank, and that other rank may
/// have up to kMostWordsOffered own offers that it has not taken yet.
inline constexpr int64_t kWordSets = 2 * kMostWordsOffered;

}  // namespace sbp::communication

#endif  // RUNTIME_COMMUNICATION_WORDS_H_
