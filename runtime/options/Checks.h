// Checks of option values, which say what was given and what is accepted.
//
//   --steps: "0" is no integer from 1 to 1000000000000
//
// CLI11 has checks of its own, but they speak of the ranges of C++ types and of
// enumerators. A check works on the text, before it is converted, so that also
// what no type can hold is told from a number.

#ifndef RUNTIME_OPTIONS_CHECKS_H_
#define RUNTIME_OPTIONS_CHECKS_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"

namespace sbp::options {

/// So many steps, or bytes of text, nobody waits for; and so many batches of
/// samples are still counted by 64 bits.
inline constexpr int64_t kMany = 1'000'000'000'000;

/// Integers from `lowest` to `highest`, both accepted.
CLI::Validator integerFrom(int64_t lowest, int64_t highest = kMany);

/// Integers from 0 on that fit into 64 bits.
CLI::Validator anyUnsigned();

/// Numbers from 0 on that are finite as floats.
CLI::Validator notNegative();

/// Numbers above 0 that are finite as floats.
CLI::Validator positive();

/// Bytes, with or without a unit (runtime/bytes/Bytes.h), above 0; the option
/// gets their number.
CLI::Validator bytes();

/// Whole bytes, with or without a unit, from `lowest` to `highest`, both
/// accepted; the option gets their number.
CLI::Validator bytesFrom(int64_t lowest, int64_t highest);

/// One of the names; the option gets what the name stands for. `names` has the
/// value of each as an integer, as CLI11 reads enumerators.
CLI::Validator oneOf(std::vector<std::pair<std::string, int64_t>> names);

/// What a program says of a command line that it cannot read.
std::string messageOf(const CLI::Error& error);

}  // namespace sbp::options

#endif  // RUNTIME_OPTIONS_CHECKS_H_
