// The start arguments of a rank: everything in which the ranks of a job must
// agree.
//
// An item is a label and a value, such as "--seed" and "2". Ranks whose items
// differ do not belong together, and the first differences are reported:
//
//   rank 1 was started with --seed 2, but rank 0 with --seed 1

#ifndef RUNTIME_BOOTSTRAP_START_H_
#define RUNTIME_BOOTSTRAP_START_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sbp::bootstrap {

/// A label and a value that all ranks must have in common.
struct Item {
  std::string label;
  std::string value;       // compared between ranks; empty: no value
  std::string shown = {};  // printed in place of `value`: a file's name
};

/// The items of a rank, in the order in which differences are reported.
using Start = std::vector<Item>;

/// Returns `start` with bounded lengths: shown texts are cut, and long values
/// replaced by their hashes. Two shortened values are equal if and only if the
/// original ones are.
Start shortened(Start start);

/// The differing items of two starts, such as "--seed 2, no --load" and "--seed
/// 1, --load a".
struct Difference {
  std::string mine;
  std::string theirs;
};

/// Returns the first three differences; nullopt if there are none. A missing
/// item counts as an item without a value.
std::optional<Difference> differenceOf(const Start& mine, const Start& theirs);

/// Returns the labels and values of `start`, without the shown texts, joined
/// into one text.
std::string comparedOf(const Start& start);

/// Encodes a start as a text, and decodes it. decodeStart returns false for a
/// text that is not a start.
std::string encodeStart(const Start& start);
bool decodeStart(std::string_view text, Start& start);

/// Returns an untrusted text in a form that may be printed: on one line, at
/// most `maxBytes` long, with '?' for characters that are not printable.
std::string printable(std::string_view text, size_t maxBytes);

}  // namespace sbp::bootstrap

#endif  // RUNTIME_BOOTSTRAP_START_H_
