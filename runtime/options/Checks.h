// Checks of option values. Their errors state what was given and what is
// accepted:
//
//   --steps: "0" is no integer from 1 to 1000000000000
//
// The messages of CLI11's own checks name the ranges of C++ types, and
// enumerators. The checks here work on the text before it is converted, so that
// even a number that is too large for any type is reported as out of range.

#ifndef RUNTIME_OPTIONS_CHECKS_H_
#define RUNTIME_OPTIONS_CHECKS_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"

namespace sbp::options {

/// The largest count that options accept. It is larger than any realistic
/// number of steps or of bytes of a text, but so small that the number of steps
/// times the number of samples in a batch fits into 64 bits.
inline constexpr int64_t kMany = 1'000'000'000'000;

/// Accepts integers from `lowest` to `highest`, both included.
CLI::Validator integerFrom(int64_t lowest, int64_t highest = kMany);

/// Accepts integers from 0 to 2^64 - 1.
CLI::Validator anyUnsigned();

/// Accepts numbers of at least 0 that are finite as floats.
CLI::Validator notNegative();

/// Accepts numbers above 0 that are finite as floats.
CLI::Validator positive();

/// Accepts a number of bytes above 0, with or without a unit
/// (runtime/bytes/Bytes.h). Replaces the text of the option by the number
/// without a unit.
CLI::Validator bytes();

/// Accepts whole numbers of bytes from `lowest` to `highest`, both included,
/// with or without a unit. Replaces the text by the number of bytes.
CLI::Validator bytesFrom(int64_t lowest, int64_t highest);

/// Accepts one of `names`, which are pairs of a name and a value, and replaces
/// the name by the value. Values are integers, because CLI11 reads enumerators
/// as integers.
CLI::Validator oneOf(std::vector<std::pair<std::string, int64_t>> names);

/// Returns the message for a command line on which CLI11 has reported `error`.
/// In the message, control characters from the command line are replaced by
/// escape sequences. The message ends with a hint to use --help.
std::string messageOf(const CLI::Error& error);

}  // namespace sbp::options

#endif  // RUNTIME_OPTIONS_CHECKS_H_
