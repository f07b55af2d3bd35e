#include "runtime/bootstrap/StartArguments.h"

#include <algorithm>
#include <set>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "fmt/format.h"
#include "runtime/bootstrap/Channel.h"
#include "runtime/bootstrap/Key.h"

namespace sbp::bootstrap {
namespace {

// Longest text shown of an argument: enough for a file's name and its
// fingerprint.
constexpr size_t kMaxShownBytes = 96;

// Largest number of differences that are reported.
constexpr size_t kMaxDifferences = 3;

// Longer values are compared by their hashes.
constexpr size_t kMaxValueBytes = 64;

constexpr size_t kTextsPerArgument = 3;

// Returns the arguments with this label that have a value; an option may be
// given several times.
std::vector<const StartArgument*> argumentsOf(const StartArguments& start,
                                              const std::string& label) {
  std::vector<const StartArgument*> arguments;
  for (const StartArgument& argument : start) {
    if (argument.label == label && !argument.value.empty())
      arguments.push_back(&argument);
  }
  return arguments;
}

bool areAlike(const std::vector<const StartArgument*>& first,
              const std::vector<const StartArgument*>& second) {
  return std::equal(first.begin(), first.end(), second.begin(), second.end(),
                    [](const StartArgument* a, const StartArgument* b) {
                      return a->value == b->value;
                    });
}

std::string describe(const std::string& label,
                     const std::vector<const StartArgument*>& arguments) {
  if (arguments.empty()) return "no " + label;
  std::vector<std::string> texts;
  for (const StartArgument* argument : arguments) {
    texts.push_back(label + " " +
                    (argument->displayText.empty() ? argument->value
                                                   : argument->displayText));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace

std::string printable(std::string_view text, size_t maxBytes) {
  constexpr std::string_view kCut = "...";
  std::string line(text.substr(0, maxBytes));
  if (text.size() > maxBytes) {
    line.replace(maxBytes - kCut.size(), kCut.size(), kCut);
  }
  std::replace_if(
      line.begin(), line.end(),
      [](unsigned char c) { return !absl::ascii_isprint(c); }, '?');
  return line;
}

StartArguments shortened(StartArguments start) {
  for (StartArgument& argument : start) {
    argument.displayText = printable(
        argument.displayText.empty() ? argument.value : argument.displayText,
        kMaxShownBytes);
    if (argument.value.size() > kMaxValueBytes) {
      argument.value = absl::BytesToHexString(digestOf({argument.value}));
    }
  }
  return start;
}

std::optional<Difference> differenceOf(const StartArguments& mine,
                                       const StartArguments& theirs) {
  std::set<std::string> seen;
  std::vector<std::string> ours, others;
  for (const StartArguments* start : {&mine, &theirs}) {
    for (const StartArgument& argument : *start) {
      if (!seen.insert(argument.label).second) continue;
      const auto first = argumentsOf(mine, argument.label);
      const auto second = argumentsOf(theirs, argument.label);
      if (areAlike(first, second) || ours.size() == kMaxDifferences) continue;
      ours.push_back(describe(argument.label, first));
      others.push_back(describe(argument.label, second));
    }
  }
  if (ours.empty()) return std::nullopt;
  return Difference{fmt::format("{}", fmt::join(ours, ", ")),
                    fmt::format("{}", fmt::join(others, ", "))};
}

std::string textToCompare(const StartArguments& start) {
  std::vector<std::string> texts;
  for (const StartArgument& argument : start) {
    texts.insert(texts.end(), {argument.label, argument.value});
  }
  return joinTexts(texts);
}

std::string encodeStart(const StartArguments& start) {
  std::vector<std::string> texts;
  for (const StartArgument& argument : start) {
    texts.insert(texts.end(),
                 {argument.label, argument.value, argument.displayText});
  }
  return joinTexts(texts);
}

bool decodeStart(std::string_view text, StartArguments& start) {
  std::vector<std::string> texts;
  if (!splitTexts(text, texts) || texts.size() % kTextsPerArgument != 0) {
    return false;
  }
  start.clear();
  for (size_t i = 0; i < texts.size(); i += kTextsPerArgument) {
    start.push_back({texts[i], texts[i + 1], texts[i + 2]});
  }
  return true;
}

}  // namespace sbp::bootstrap
