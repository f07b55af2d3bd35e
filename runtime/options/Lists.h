// Options with several values in one word, such as --levels 64x8.
//
// CLI11's own delimiter drops empty values, and would read "64x" as 64.

#ifndef RUNTIME_OPTIONS_LISTS_H_
#define RUNTIME_OPTIONS_LISTS_H_

#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/numbers.h"
#include "fmt/ranges.h"
#include "runtime/options/Checks.h"

namespace sbp::options {

/// The form of a list.
struct ListForm {
  char separator = ',';
  size_t least = 1, most = 1;  // number of values
  CLI::Validator each;         // of each value
};

/// Splits `word` into its values. Throws a CLI::ValidationError about option
/// `name` if `form` does not accept a value or the number of values.
std::vector<std::string> partsOf(const std::string& name,
                                 const std::string& word, const ListForm& form);

/// Adds an option whose word replaces `values`, of integers or floating-point
/// numbers. The help shows their present content as the default.
template <typename Value>
CLI::Option* addList(CLI::App& app, const std::string& name,
                     std::vector<Value>& values, ListForm form,
                     const std::string& text) {
  std::string separator(1, form.separator);
  std::string type = std::is_integral_v<Value> ? "INT" : "FLOAT";
  auto read = [&values, name, form = std::move(form)](const std::string& word) {
    std::vector<Value> parts;
    for (const std::string& part : partsOf(name, word, form)) {
      Value value{};
      // Cannot fail: the check has accepted the text.
      if constexpr (std::is_integral_v<Value>)
        (void)absl::SimpleAtoi(part, &value);
      else
        (void)absl::SimpleAtod(part, &value);
      parts.push_back(value);
    }
    values = std::move(parts);
  };
  return app.add_option_function<std::string>(name, std::move(read), text)
      ->type_name(type + separator + type + "...")
      ->default_str(fmt::format("{}", fmt::join(values, separator)));
}

}  // namespace sbp::options

#endif  // RUNTIME_OPTIONS_LISTS_H_
