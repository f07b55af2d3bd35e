// Describes and parses values of options by their C++ type: text, flag,
// enumerator, or checked number.

#ifndef PASSES_OPTIONS_OPTIONTYPE_H_
#define PASSES_OPTIONS_OPTIONTYPE_H_

#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "passes/options/CheckedOption.h"
#include "passes/options/DeclaredOption.h"

namespace sbp {

/// Completes the declaration of an option of type `Value`, by a static member
/// describe(option, field, declared):
///   option     the option of a pass, as mlir-tblgen generates it
///   field      gets the value that `declared` reads; may have a default
///   declared   the declaration to complete
/// `option` and `field` must live as long as `declared`.
template <typename Value, typename = void>
struct OptionType;

/// A text. Any value is accepted.
template <>
struct OptionType<std::string> {
  template <typename Option>
  static void describe(Option&, std::string& field, DeclaredOption& declared) {
    declared.placeholder = "NAME";
    declared.mayBeEmpty = field.empty();
    declared.read = [&field](const std::string& value) -> std::string {
      field = value;
      return "";
    };
  }
};

/// A flag: true, false, or no value, which means true.
template <>
struct OptionType<bool> {
  template <typename Option>
  static void describe(Option&, bool& field, DeclaredOption& declared) {
    declared.isFlag = true;
    declared.read = [&field](const std::string& value) -> std::string {
      if (!value.empty() && value != "true" && value != "false")
        return "\"" + value + "\" is none of true, false";
      field = value != "false";
      return "";
    };
  }
};

/// An enumerator, by the name that the .td file gives it.
template <typename Enum>
struct OptionType<Enum, std::enable_if_t<std::is_enum_v<Enum>>> {
  template <typename Option>
  static void describe(Option& option, Enum& field, DeclaredOption& declared) {
    std::vector<std::string> names;
    for (unsigned i = 0; i < option.getParser().getNumOptions(); ++i) {
      names.push_back(option.getParser().getOption(i).str());
      if (valueOf(option, names.back()) == field)
        declared.byDefault = names.back();
    }
    declared.placeholder = llvm::join(names, "|");
    declared.read = [&option, &field,
                     names](const std::string& value) -> std::string {
      if (!llvm::is_contained(names, value))
        return "\"" + value + "\" is none of " + llvm::join(names, ", ");
      field = valueOf(option, value);
      return "";
    };
  }

 private:
  template <typename Option>
  static Enum valueOf(Option& option, const std::string& name) {
    Enum value{};
    option.getParser().parse(option, option.ArgStr, name, value);
    return value;
  }
};

/// A checked number (CheckedOption.h).
template <typename Rule>
struct OptionType<Checked<Rule>> {
  template <typename Option>
  static void describe(Option&, Checked<Rule>& field,
                       DeclaredOption& declared) {
    declared.placeholder = Rule::kPlaceholder;
    const typename Rule::Value byDefault = field;
    declared.mayBeEmpty = byDefault == 0;
    if (!declared.mayBeEmpty) declared.byDefault = absl::StrCat(byDefault);
    declared.read = [&field](const std::string& value) {
      return Checked<Rule>::read(value, field);
    };
  }
};

}  // namespace sbp

#endif  // PASSES_OPTIONS_OPTIONTYPE_H_
