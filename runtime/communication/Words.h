// The words that a rank gives to all others in an exchange of words.

#ifndef RUNTIME_COMMUNICATION_WORDS_H_
#define RUNTIME_COMMUNICATION_WORDS_H_

#include <array>
#include <cstdint>

namespace sbp::communication {

/// Half a cache line of words. Their meaning is up to the ranks that exchange
/// them.
using Words = std::array<uint64_t, 4>;

/// Largest number of offers that a rank may have made without taking the words
/// of all ranks.
inline constexpr int64_t kMostWordsOffered = 65;

/// Number of sets of words on a board (RankMemory.h). A rank may be ahead of
/// another rank by up to kMostWordsOffered offers, and that rank may still have
/// to take up to kMostWordsOffered offers of its own.
inline constexpr int64_t kWordSets = 2 * kMostWordsOffered;

}  // namespace sbp::communication

#endif  // RUNTIME_COMMUNICATION_WORDS_H_
