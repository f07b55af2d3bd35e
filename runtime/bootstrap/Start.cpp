#include "runtime/bootstrap/Start.h"

#include <algorithm>
#include <set>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "fmt/format.h"
#include "runtime/bootstrap/Channel.h"
#include "runtime/bootstrap/Key.h"

namespace sbp::bootstrap {
namespace {

// Longest text shown of an item: enough for a file's name and its fingerprint.
constexpr size_t kMaxShownBytes = 96;

// Largest number of differences that are reported.
constexpr size_t kMaxDifferences = 3;

// Longer values are compared by their hashes.
constexpr size_t kMaxValueBytes = 64;

constexpr size_t kTextsPerItem = 3;

// Returns the items with this label that have a value; an option may be given
// several times.
std::vector<const Item*> itemsOf(const Start& start, const std::string& label) {
  std::vector<const Item*> items;
  for (const Item& item : start) {
    if (item.label == label && !item.value.empty()) items.push_back(&item);
  }
  return items;
}

bool areAlike(const std::vector<const Item*>& first,
              const std::vector<const Item*>& second) {
  return std::equal(
      first.begin(), first.end(), second.begin(), second.end(),
      [](const Item* a, const Item* b) { return a->value == b->value; });
}

std::string describe(const std::string& label,
                     const std::vector<const Item*>& items) {
  if (items.empty()) return "no " + label;
  std::vector<std::string> texts;
  for (const Item* item : items) {
    texts.push_back(label + " " +
                    (item->shown.empty() ? item->value : item->shown));
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

Start shortened(Start start) {
  for (Item& item : start) {
    item.shown =
        printable(item.shown.empty() ? item.value : item.shown, kMaxShownBytes);
    if (item.value.size() > kMaxValueBytes) {
      item.value = absl::BytesToHexString(digestOf({item.value}));
    }
  }
  return start;
}

std::optional<Difference> differenceOf(const Start& mine, const Start& theirs) {
  std::set<std::string> seen;
  std::vector<std::string> ours, others;
  for (const Start* start : {&mine, &theirs}) {
    for (const Item& item : *start) {
      if (!seen.insert(item.label).second) continue;
      const auto first = itemsOf(mine, item.label);
      const auto second = itemsOf(theirs, item.label);
      if (areAlike(first, second) || ours.size() == kMaxDifferences) continue;
      ours.push_back(describe(item.label, first));
      others.push_back(describe(item.label, second));
    }
  }
  if (ours.empty()) return std::nullopt;
  return Difference{fmt::format("{}", fmt::join(ours, ", ")),
                    fmt::format("{}", fmt::join(others, ", "))};
}

std::string comparedOf(const Start& start) {
  std::vector<std::string> texts;
  for (const Item& item : start) {
    texts.insert(texts.end(), {item.label, item.value});
  }
  return joinTexts(texts);
}

std::string encodeStart(const Start& start) {
  std::vector<std::string> texts;
  for (const Item& item : start) {
    texts.insert(texts.end(), {item.label, item.value, item.shown});
  }
  return joinTexts(texts);
}

bool decodeStart(std::string_view text, Start& start) {
  std::vector<std::string> texts;
  if (!splitTexts(text, texts) || texts.size() % kTextsPerItem != 0) {
    return false;
  }
  start.clear();
  for (size_t i = 0; i < texts.size(); i += kTextsPerItem) {
    start.push_back({texts[i], texts[i + 1], texts[i + 2]});
  }
  return true;
}

}  // namespace sbp::bootstrap
