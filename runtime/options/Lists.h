// Options with several values in one word, such as --levels 64x8.
//
// CLI11's own options with a delimiter are not used, because they drop empty
// values: they would read "64x" as 64.

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

/// The form of a list: its separator, and the number and kind of its values.
struct ListForm {
  char separator = ',';
  size_t least = 1, most = 1;  // limits of the number of values, inclusive
  CLI::Validator each;         // check of each value; may replace its text
};

/// Splits `word` into its values. Throws a CLI::ValidationError about option
/// `name` if `form` does not accept one of the values or their number.
std::vector<std::string> partsOf(const std::string& name,
                                 const std::string& word, const ListForm& form);

/// Adds the option `name` to `app`. If the option is given, the values in its
/// word replace `values`, which must outlive `app`. The help shows the content
/// that `values` has now as the default. Value is an integer or floating-point
/// type, and `form.each` must accept only texts of such numbers. `text`
/// describes the option in the help.
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
      // Cannot fail: `form.each` has accepted the text.
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
