#include "passes/cut/RepeatedUnits.h"

#include <algorithm>
#include <map>

namespace sbp {
namespace {

/// Fewest units that are left out. With fewer, prices take no time worth
/// speaking of.
constexpr int64_t kFewest = 6;

/// The values that units make, and where they are used.
class LiveValues {
 public:
  explicit LiveValues(const EntryUnits& units) : units_(units) {
    llvm::DenseMap<Operation*, int64_t> numbers;
    for (int64_t unit = 0; unit < units.numUnits(); ++unit)
      numbers[units.units()[unit].op] = unit;
    for (int64_t unit = 0; unit < units.numUnits(); ++unit)
      for (Value result : units.units()[unit].results) {
        int64_t end = unit;
        for (Operation* user : result.getUsers()) {
          auto known = numbers.find(user);
          // The entry returns what no unit uses.
          end = std::max(
              end, known == numbers.end() ? units.numUnits() : known->second);
        }
        values_.push_back({result, unit, end});
      }
  }

  /// Returns the values that a unit before `unit` makes, and this unit or a
  /// later one uses, in the order in which they are made.
  std::vector<Value> before(int64_t unit) const {
    std::vector<Value> live;
    for (const Made& made : values_) {
      if (made.unit >= unit) break;
      if (made.end >= unit) live.push_back(made.value);
    }
    return live;
  }

  /// Returns what must be equal of values for them to replace each other.
  std::vector<std::pair<const void*, bool>> keyOf(
      const std::vector<Value>& live) const {
    std::vector<std::pair<const void*, bool>> key;
    for (Value value : live)
      key.emplace_back(value.getType().getAsOpaquePointer(),
                       units_.hasGradient(value));
    return key;
  }

 private:
  struct Made {
    Value value;
    int64_t unit = 0;  // makes the value
    int64_t end = 0;   // the last unit that uses it
  };

  const EntryUnits& units_;
  std::vector<Made> values_;  // by unit
};

/// Whether values `late` can be replaced by values `early`, one by one: a value
/// that is among both must be at the same position, so that it stays.
bool canReplace(const std::vector<Value>& late,
                const std::vector<Value>& early) {
  for (auto [position, value] : llvm::enumerate(late)) {
    const auto known = llvm::find(early, value);
    if (known != early.end() &&
        known - early.begin() != static_cast<int64_t>(position))
      return false;
  }
  return true;
}

/// Returns the units that must stay: the first of each kind, and all that read
/// a parameter which another unit reads too.
std::vector<bool> stayingUnits(const EntryUnits& units) {
  std::vector<bool> stays(units.numUnits(), false);
  for (int64_t first : units.firstOfKinds()) stays[first] = true;
  for (const auto& [name, readers] : units.parameters())
    if (readers.units.size() > 1)
      for (int64_t reader : readers.units) stays[reader] = true;
  return stays;
}

}  // namespace

std::vector<RepeatedUnits> repeatedUnits(const EntryUnits& units) {
  std::vector<RepeatedUnits> runs;
  const LiveValues live(units);
  const std::vector<bool> stays = stayingUnits(units);
  for (int64_t begin = 0; begin < units.numUnits();) {
    if (stays[begin]) {
      ++begin;
      continue;
    }
    int64_t end = begin;
    while (end < units.numUnits() && !stays[end]) ++end;
    // Of units [begin, end), leaves out the longest run.
    std::map<std::vector<std::pair<const void*, bool>>, int64_t> firstWith;
    RepeatedUnits longest;
    for (int64_t unit = begin; unit <= end && unit < units.numUnits(); ++unit) {
      const int64_t first =
          firstWith.try_emplace(live.keyOf(live.before(unit)), unit)
              .first->second;
      if (unit - first > longest.last - longest.first &&
          canReplace(live.before(unit), live.before(first)))
        longest = {first, unit, {}};
    }
    if (longest.last - longest.first >= kFewest) {
      for (auto [late, early] :
           llvm::zip(live.before(longest.last), live.before(longest.first)))
        if (late != early) longest.replacements.emplace_back(late, early);
      runs.push_back(std::move(longest));
    }
    begin = end;
  }
  return runs;
}

}  // namespace sbp
