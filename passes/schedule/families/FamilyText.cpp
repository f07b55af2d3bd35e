#include "passes/schedule/families/FamilyText.h"

#include <charconv>
#include <optional>
#include <set>

#include "runtime/status/Status.h"

namespace sbp::schedule {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

absl::StatusOr<int64_t> numberOf(std::string_view name,
                                 std::string_view value) {
  int64_t number = 0;
  const auto [end, failed] =
      std::from_chars(value.data(), value.data() + value.size(), number);
  if (failed != std::errc() || end != value.data() + value.size() ||
      number < 1 || number > kMaxStageParts)
    return error("{} is a number from 1 to {}; '{}' is given", name,
                 kMaxStageParts, value);
  return number;
}

absl::Status choose(std::string_view name, std::string_view value,
                    ChosenFamily& chosen) {
  if (name == "chunks" || name == "pairs") {
    SBP_ASSIGN_OR_RETURN(const int64_t number, numberOf(name, value));
    (name == "chunks" ? chosen.shape.chunks : chosen.shape.pairs) = number;
  } else if (name == "variant") {
    chosen.shape.variant = std::string(value);
  } else if (name == "recompute") {
    if (value != "true" && value != "false")
      return error("recompute is true or false; '{}' is given", value);
    chosen.isRecomputed = value == "true";
  } else {
    return error(
        "there is no '{}' to choose of a family; there are chunks, pairs, "
        "variant and recompute",
        name);
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<ChosenFamily> readFamily(std::string_view text) {
  const std::string_view all = trimmed(text);
  const size_t open = all.find('<');
  ChosenFamily chosen;
  chosen.name = std::string(trimmed(all.substr(0, open)));
  if (open == std::string_view::npos) return chosen;
  if (all.back() != '>')
    return error(
        "'{}' does not end with '>'; a family is written as in "
        "chimera<variant = doubling, pairs = 2>",
        all);
  std::string_view left = all.substr(open + 1, all.size() - open - 2);
  std::set<std::string_view> seen;
  for (bool isLast = false; !isLast;) {
    const size_t comma = left.find(',');
    isLast = comma == std::string_view::npos;
    const std::string_view choice = trimmed(left.substr(0, comma));
    left = isLast ? std::string_view() : left.substr(comma + 1);
    const size_t equals = choice.find('=');
    if (equals == std::string_view::npos)
      return error("'{}' chooses nothing; variant = doubling would", choice);
    const std::string_view name = trimmed(choice.substr(0, equals));
    if (!seen.insert(name).second)
      return error("'{}' chooses {} twice", all, name);
    SBP_RETURN_IF_ERROR(
        choose(name, trimmed(choice.substr(equals + 1)), chosen));
  }
  return chosen;
}

}  // namespace sbp::schedule
