#include "runtime/options/HelpFormatter.h"

#include <cstddef>
#include <set>
#include <sstream>

namespace sbp::options {
namespace {

/// Width of the column of descriptions.
constexpr size_t kTextWidth = 56;

/// Breaks `text` into lines of at most kTextWidth characters, except where a
/// single word is longer.
std::string wrapped(const std::string& text) {
  std::istringstream words(text);
  std::string lines, word;
  size_t width = 0;
  while (words >> word) {
    if (width > 0 && width + 1 + word.size() > kTextWidth) {
      lines += '\n';
      width = 0;
    }
    if (width > 0) {
      lines += ' ';
      ++width;
    }
    lines += word;
    width += word.size();
  }
  return lines;
}

/// Returns "; needs --stages" for the options of `others`, and nothing if there
/// are none.
std::string otherOptions(const char* relation,
                         const std::set<CLI::Option*>& others) {
  // Sorts by name, because the set is ordered by address.
  std::set<std::string> names;
  for (const CLI::Option* other : others) names.insert(other->get_name());
  std::string text;
  for (const std::string& name : names)
    text += (text.empty() ? std::string("; ") + relation + " " : ", ") + name;
  return text;
}

}  // namespace

std::string HelpFormatter::make_help(const CLI::App* app, std::string name,
                                     CLI::AppFormatMode mode) const {
  std::string text = CLI::Formatter::make_help(app, std::move(name), mode);
  // CLI11 separates some parts by several blank lines.
  for (size_t at = 0; (at = text.find("\n\n\n", at)) != std::string::npos;)
    text.erase(at, 1);
  text.erase(text.find_last_not_of('\n') + 1);
  return text + "\n";
}

std::string HelpFormatter::make_usage(const CLI::App* app,
                                      std::string name) const {
  std::string line = CLI::Formatter::make_usage(app, std::move(name));
  if (!operands_.empty())
    line.insert(line.find_last_not_of('\n') + 1, " " + operands_);
  return "\n" + line;
}

std::string HelpFormatter::make_option_opts(const CLI::Option* option) const {
  std::string text;
  if (const std::string type = option->get_type_name(); !type.empty())
    text += " " + type;
  if (option->get_expected_max() == CLI::detail::expected_max_vector_size &&
      option->get_allow_extra_args())
    text += " ...";
  if (option->get_required()) text += " REQUIRED";
  return text;
}

std::string HelpFormatter::make_option_desc(const CLI::Option* option) const {
  std::string text = option->get_description();
  if (!option->get_default_str().empty())
    text += " (" + option->get_default_str() + ")";
  text += otherOptions("needs", option->get_needs());
  text += otherOptions("not with", option->get_excludes());
  return wrapped(text);
}

}  // namespace sbp::options
