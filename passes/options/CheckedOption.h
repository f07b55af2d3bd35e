// Options of passes whose values are checked where they are read.
//
// A pass is given its options by a tool, which has checked them, or as text by
// sbp-opt, where LLVM's parsers take any number that a type holds. A checked
// option takes what the command line of sbpc takes, and refuses the rest in the
// same words.

#ifndef PASSES_OPTIONS_CHECKEDOPTION_H_
#define PASSES_OPTIONS_CHECKEDOPTION_H_

#include <string>

#include "CLI/CLI.hpp"
#include "absl/strings/numbers.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

namespace sbp {

/// A number that is checked by `Rule`, which has
///   Value          the type of the number, int64_t or double
///   isOptional     whether 0 stands for an option that is not given
///   check()        the check of the text, a CLI::Validator
template <typename Rule>
class Checked {
 public:
  using Value = typename Rule::Value;

  Checked(Value value = {}) : value_(value) {}
  operator Value() const { return value_; }

  /// The check of sbpc, of an option that is given.
  static CLI::Validator check() { return Rule::check(); }

 private:
  Value value_;
};

}  // namespace sbp

namespace llvm::cl {

template <typename Rule>
class parser<sbp::Checked<Rule>> : public basic_parser<sbp::Checked<Rule>> {
 public:
  using Checked = sbp::Checked<Rule>;
  using basic_parser<Checked>::basic_parser;

  bool parse(Option&, StringRef name, StringRef text, Checked& value) {
    std::string given = text.str();
    const std::string fault = Rule::check()(given);
    typename Rule::Value number = {};
    const bool isNumber = readNumber(given, number);
    const bool isNotGiven = Rule::isOptional && isNumber && number == 0;
    if (!fault.empty() && !isNotGiven) {
      errs() << "error: " << name << ": " << fault << "\n";
      return true;
    }
    value = number;
    return false;
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

 private:
  static bool readNumber(const std::string& text, int64_t& number) {
    return absl::SimpleAtoi(text, &number);
  }
  static bool readNumber(const std::string& text, double& number) {
    return absl::SimpleAtod(text, &number);
  }
};

}  // namespace llvm::cl

#endif  // PASSES_OPTIONS_CHECKEDOPTION_H_
