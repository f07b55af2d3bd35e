// The value of the option --groups: a number of groups, or one number for each
// axis of the mesh.
//
//   4        four groups: the outermost axes are divided first
//   1x8x1    eight groups: the second of three axes is divided

#ifndef PASSES_CUT_GROUPCOUNTS_H_
#define PASSES_CUT_GROUPCOUNTS_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"
#include "passes/options/DeclaredOption.h"
#include "passes/options/OptionType.h"

namespace sbp {

/// Numbers of groups, each at least 1.
class GroupCounts {
 public:
  /// Makes the value for `numGroups` groups. 0 means that the option is not
  /// given.
  GroupCounts(int64_t numGroups = 0) {
    if (numGroups > 0) counts_ = {numGroups};
  }
  /// Makes the value that has `counts`, at least two, one for each axis.
  explicit GroupCounts(std::vector<int64_t> counts)
      : counts_(std::move(counts)) {}

  /// Reads `text` into `counts`. Returns an error message, or an empty text if
  /// there is no error.
  static std::string read(llvm::StringRef text, GroupCounts& counts);

  bool isGiven() const { return !counts_.empty(); }
  /// Whether there is a number for each axis.
  bool isPerAxis() const { return counts_.size() > 1; }
  /// The numbers: none, the number of groups, or one for each axis.
  const std::vector<int64_t>& counts() const { return counts_; }
  /// Returns the number of groups; 0 if the option is not given.
  int64_t numGroups() const;

  /// Returns the text from which read() makes this value: "1x8x1".
  std::string str() const;

  friend bool operator==(const GroupCounts& a, const GroupCounts& b) {
    return a.counts_ == b.counts_;
  }
  friend bool operator<(const GroupCounts& a, const GroupCounts& b) {
    return a.counts_ < b.counts_;
  }
  friend llvm::raw_ostream& operator<<(llvm::raw_ostream& out,
                                       const GroupCounts& counts) {
    return out << counts.str();
  }

 private:
  std::vector<int64_t> counts_;
};

/// Numbers of groups as an option.
template <>
struct OptionType<GroupCounts> {
  template <typename Option>
  static void describe(Option&, GroupCounts& field, DeclaredOption& declared) {
    declared.placeholder = "N|NxN..";
    declared.mayBeEmpty = true;
    declared.read = [&field](const std::string& value) {
      return GroupCounts::read(value, field);
    };
  }
};

}  // namespace sbp

namespace llvm::cl {

/// Parses and prints numbers of groups for LLVM.
template <>
class parser<sbp::GroupCounts> : public basic_parser<sbp::GroupCounts> {
 public:
  using basic_parser<sbp::GroupCounts>::basic_parser;

  /// Reads `text`, which CheckedPass has accepted, into `value`. An empty text
  /// means that the option is not given. Returns true if there is an error.
  bool parse(Option&, StringRef, StringRef text, sbp::GroupCounts& value) {
    value = sbp::GroupCounts();
    return !text.empty() && !sbp::GroupCounts::read(text, value).empty();
  }

  void printOptionDiff(const Option& option, const sbp::GroupCounts& value,
                       const OptionValue<sbp::GroupCounts>&,
                       size_t width) const {
    this->printOptionName(option, width);
    outs() << "= " << value << "\n";
  }
};

}  // namespace llvm::cl

#endif  // PASSES_CUT_GROUPCOUNTS_H_
