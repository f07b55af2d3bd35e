#include "passes/search/pipeline/UnitRuns.h"

namespace sbp::search {

UnitRuns::UnitRuns(const std::vector<int64_t>& kinds) {
  const auto numUnits = static_cast<int64_t>(kinds.size());
  endsOfKind_.assign(numUnits, numUnits);
  for (int64_t unit = numUnits - 1; unit-- > 0;)
    endsOfKind_[unit] =
        kinds[unit] == kinds[unit + 1] ? endsOfKind_[unit + 1] : unit + 1;
  matches_.resize(numUnits);
  for (int64_t distance = numUnits - 1; distance > 0; --distance) {
    int64_t length = 0;
    for (int64_t unit = numUnits - 1; unit >= distance; --unit) {
      const bool isSame = kinds[unit] == kinds[unit - distance];
      length = isSame ? length + 1 : 0;
      std::vector<Match>& matches = matches_[unit];
      if (length > (matches.empty() ? 0 : matches.back().length))
        matches.push_back({unit - distance, length});
    }
  }
}

int64_t UnitRuns::firstLike(int64_t begin, int64_t end) const {
  for (const Match& match : matches_[begin])
    if (match.length >= end - begin) return match.begin;
  return begin;
}

}  // namespace sbp::search
