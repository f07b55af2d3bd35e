// What a rank was started with, in what the ranks of a job must be alike.
//
// An item is a label and a value: "--seed" and "2". Ranks whose items differ do
// not belong together, and people are told the first that do:
//
//   rank 1 was started with --seed 2, but rank 0 with --seed 1

#ifndef RUNTIME_BOOTSTRAP_START_H_
#define RUNTIME_BOOTSTRAP_START_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sbp::bootstrap {

struct Item {
  std::string label;
  std::string value;       // what is compared; empty: there is none
  std::string shown = {};  // for people, if the value is not: a file
};

/// The items of one rank, in the order in which differences are told.
using Start = std::vector<Item>;

/// A start with values and texts of bounded length: what is too long is cut,
/// and the value hashed. Values of different ranks compare as before.
Start shortened(Start start);

/// How two starts differ: "--seed 2, no --load" and "--seed 1, --load a".
struct Difference {
  std::string mine;
  std::string theirs;
};

/// None if they are alike. An item that one of them lacks has no value there.
std::optional<Difference> differenceOf(const Start& mine, const Start& theirs);

/// What is compared of a start, labels and values, in one text.
std::string comparedOf(const Start& start);

/// A start as a text, and back; the latter fails (returns false) on a text that
/// is none.
std::string encodeStart(const Start& start);
bool decodeStart(std::string_view text, Start& start);

/// A text that came from anybody, to be printed: at most `maxBytes` long, in
/// one line of printable characters.
std::string printable(std::string_view text, size_t maxBytes);

}  // namespace sbp::bootstrap

#endif  // RUNTIME_BOOTSTRAP_START_H_
