// Options of passes whose values are checked when they are read.
//
// A checked option accepts the same numbers on the command line of sbpc as in
// the text of a pass or pipeline (CheckedPass.h). LLVM's own parsers would
// accept any number that fits the C++ type.

#ifndef PASSES_OPTIONS_CHECKEDOPTION_H_
#define PASSES_OPTIONS_CHECKEDOPTION_H_

#include <charconv>
#include <iterator>
#include <string>

#include "CLI/CLI.hpp"
#include "absl/strings/numbers.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

namespace sbp {

/// A number that is checked by `Rule`, a struct with these static members:
///   Value          the type of the number, int64_t or double
///   kPlaceholder   the word for the number in help, such as "BYTES"
///   check()        returns the check of the text, a CLI::Validator
/// A rule must not accept 0, which stands for an option that is not given.
template <typename Rule>
class Checked {
 public:
  using Value = typename Rule::Value;

  Checked(Value value = {}) : value_(value) {}
  operator Value() const { return value_; }

  /// Reads `text` into `number`. Returns an error message, or an empty text if
  /// there is no error.
  static std::string read(std::string text, Checked& number) {
    std::string fault = Rule::check()(text);
    // If the text has a unit, the check has replaced it by the number.
    if (fault.empty() && !readNumber(text, number.value_))
      fault = "\"" + text + "\" is no number";
    return fault;
  }

  /// Prints `number` with the fewest digits from which read() gets the same
  /// number. Prints nothing if the option is not given.
  friend llvm::raw_ostream& operator<<(llvm::raw_ostream& out,
                                       const Checked& number) {
    if (number.value_ == 0) return out;
    char text[32];
    const std::to_chars_result end =
        std::to_chars(std::begin(text), std::end(text), number.value_);
    return out << llvm::StringRef(text, end.ptr - text);
  }

 private:
  static bool readNumber(const std::string& text, int64_t& number) {
    return absl::SimpleAtoi(text, &number);
  }
  static bool readNumber(const std::string& text, double& number) {
    return absl::SimpleAtod(text, &number);
  }

  Value value_;
};

}  // namespace sbp

namespace llvm::cl {

/// Parses and prints checked options for LLVM.
template <typename Rule>
class parser<sbp::Checked<Rule>> : public basic_parser<sbp::Checked<Rule>> {
 public:
  using Checked = sbp::Checked<Rule>;
  using basic_parser<Checked>::basic_parser;

  /// Reads `text`, which CheckedPass has accepted, into `value`. An empty text
  /// means that the option is not given. Returns true if there is an error.
  bool parse(Option&, StringRef, StringRef text, Checked& value) {
    value = Checked();
    return !text.empty() && !Checked::read(text.str(), value).empty();
  }

  void printOptionDiff(const Option& option, const Checked& value,
                       const OptionValue<Checked>&, size_t width) const {
    this->printOptionName(option, width);
    outs() << "= " << value << "\n";
  }
};

}  // namespace llvm::cl

#endif  // PASSES_OPTIONS_CHECKEDOPTION_H_
