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
  std::string shown = {};  // printed in place of `value`, unless empty
};

/// The items of a rank, in the order in which differences are reported. Several
/// items may have one label: an option that is given several times.
using Start = std::vector<Item>;

/// Returns `start` with items of bounded length. A text to show is cut and made
/// printable; if it is empty, the value becomes the text to show. A value of
/// more than 64 bytes is replaced by its cryptographic hash, so two shortened
/// values are equal if and only if the original ones are.
Start shortened(Start start);

/// The items in which two starts differ, as texts for people. For example,
/// `mine` is "--seed 2, no --load" and `theirs` is "--seed 1, --load a".
struct Difference {
  std::string mine;
  std::string theirs;
};

/// Returns the items of the first three labels in which the starts differ;
/// nullopt if they do not differ. A missing item counts as an item without a
/// value. Items with one label are compared in their order.
std::optional<Difference> differenceOf(const Start& mine, const Start& theirs);

/// Returns the labels and values of `start`, without the shown texts, joined
/// into one text.
std::string comparedOf(const Start& start);

/// Encodes a start as a text, and decodes it. decodeStart returns false, and
/// leaves `start` unchanged, if the text is not a start.
std::string encodeStart(const Start& start);
bool decodeStart(std::string_view text, Start& start);

/// Returns an untrusted text in a form that may be printed: on one line, with
/// '?' for each byte that is not a printable ASCII character. A text of more
/// than `maxBytes` bytes (3 or more) is cut to this length, and ends in "...".
std::string printable(std::string_view text, size_t maxBytes);

}  // namespace sbp::bootstrap

#endif  // RUNTIME_BOOTSTRAP_START_H_
