// Options of passes whose values are checked where they are read.
//
// A pass gets its options from a tool, which has checked them, or as text from
// sbp-opt. LLVM's own parsers would accept any number there that fits the C++
// type. A checked option accepts the same numbers as the command line of sbpc,
// with the same error messages.

#ifndef PASSES_OPTIONS_CHECKEDOPTION_H_
#define PASSES_OPTIONS_CHECKEDOPTION_H_

#include <string>

#include "CLI/CLI.hpp"
#include "absl/strings/numbers.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

namespace sbp {

/// A number that is checked by `Rule`, a struct of static members:
///   Value          the type of the number, int64_t or double
///   kPlaceholder   the word for the number in help, such as "BYTES"
///   kIsOptional    whether 0 stands for an option that is not given
///   check()        returns the check of the text, a CLI::Validator
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
    // The check has put the number in place of a text with a unit.
    if (fault.empty() && !readNumber(text, number.value_))
      fault = "\"" + text + "\" is no number";
    return fault;
  }

  /// Whether `text` stands for an option that is not given.
  static bool isNotGiven(const std::string& text) {
    Value number = {};
    return Rule::kIsOptional && readNumber(text, number) && number == 0;
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

/// Parses and prints checked options for LLVM. As LLVM expects, parse() returns
/// true if `text` is wrong; it has printed an error then.
template <typename Rule>
class parser<sbp::Checked<Rule>> : public basic_parser<sbp::Checked<Rule>> {
 public:
  using Checked = sbp::Checked<Rule>;
  using basic_parser<Checked>::basic_parser;

  bool parse(Option&, StringRef name, StringRef text, Checked& value) {
    if (Checked::isNotGiven(text.str())) {
      value = Checked();
      return false;
    }
    const std::string fault = Checked::read(text.str(), value);
    if (!fault.empty()) errs() << "error: " << name << ": " << fault << "\n";
    return !fault.empty();
  }

  void printOptionDiff(const Option& option, const Checked& value,
                       const OptionValue<Checked>&, size_t width) const {
    this->printOptionName(option, width);
    outs() << "= ";
    print(outs(), value);
    outs() << "\n";
  }

  static void print(raw_ostream& out, const Checked& value) {
    out << static_cast<typename Rule::Value>(value);
  }
};

}  // namespace llvm::cl

#endif  // PASSES_OPTIONS_CHECKEDOPTION_H_
