// What one rank tells all others in an exchange of words.

#ifndef RUNTIME_COMMUNICATION_WORDS_H_
#define RUNTIME_COMMUNICATION_WORDS_H_

#include <array>
#include <cstdint>

namespace sbp::communication {

/// As many as fit into half a cache line. What they mean is between those who
/// exchange them.
using Words = std::array<uint64_t, 4>;

}  // namespace sbp::communication

#endif  // RUNTIME_COMMUNICATION_WORDS_H_
