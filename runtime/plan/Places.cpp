#include "runtime/plan/Places.h"

#include "fmt/format.h"

namespace sbp::plan {

std::string Places::textOf(int64_t index) const {
  if (index == kUnknownOrigin) return "";
  const std::vector<Place>& origin = origins[index];
  std::string text;
  for (size_t i = 0; i < origin.size(); ++i) {
    if (i > 0) text += i + 1 < origin.size() ? ", " : " and ";
    const auto& [file, line, column] = origin[i];
    text += fmt::format("{}:{}", files[file], line);
    if (column > 0) text += fmt::format(":{}", column);
  }
  return text;
}

std::string Places::at(int64_t index) const {
  return index == kUnknownOrigin ? "" : " at " + textOf(index);
}

}  // namespace sbp::plan
