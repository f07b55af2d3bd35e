// The start arguments of a rank: everything in which the ranks of a job must
// agree.
//
// An argument is a label and a value, such as "--seed" and "2". Ranks whose
// arguments differ do not belong together, and the first differences are
// reported:
//
//   rank 1 was started with --seed 2, but rank 0 with --seed 1

#ifndef RUNTIME_BOOTSTRAP_STARTARGUMENTS_H_
#define RUNTIME_BOOTSTRAP_STARTARGUMENTS_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sbp::bootstrap {

/// One start argument: a label and a value, which must be equal on all ranks.
struct StartArgument {
  std::string label;
  std::string value;             // compared between ranks; empty: no value
  std::string displayText = {};  // printed in place of `value`, unless empty
};

/// The arguments of a rank, in the order in which differences are reported.
/// Several arguments may have the same label, for an option that is given
/// several times.
using StartArguments = std::vector<StartArgument>;

/// Returns `start` with arguments of bounded length. A display text is cut and
/// made printable; if it is empty, the value becomes the display text. A value
/// of more than 64 bytes is replaced by its cryptographic hash, so two
/// shortened values are equal if and only if the original ones are.
StartArguments shortened(StartArguments start);

/// The arguments in which two ranks differ, as texts for people. For example,
/// `mine` is "--seed 2, no --load" and `theirs` is "--seed 1, --load a".
struct Difference {
  std::string mine;
  std::string theirs;
};

/// Returns the arguments of the first three labels whose arguments differ
/// between the two ranks; nullopt if none differ. A missing argument counts as
/// one without a value. Arguments with the same label are compared in their
/// order.
std::optional<Difference> differenceOf(const StartArguments& mine,
                                       const StartArguments& theirs);

/// Returns the labels and values of `start`, without the display texts, joined
/// into one text.
std::string textToCompare(const StartArguments& start);

/// Encodes start arguments as a text, and decodes them. decodeStart returns
/// false, and leaves `start` unchanged, if `text` is not a result of
/// encodeStart.
std::string encodeStart(const StartArguments& start);
bool decodeStart(std::string_view text, StartArguments& start);

/// Returns an untrusted text in a form that may be printed: on one line, with
/// '?' for each byte that is not a printable ASCII character. A text of more
/// than `maxBytes` bytes (3 or more) is cut to this length, and ends in "...".
std::string printable(std::string_view text, size_t maxBytes);

}  // namespace sbp::bootstrap

#endif  // RUNTIME_BOOTSTRAP_STARTARGUMENTS_H_
