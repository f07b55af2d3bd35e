#include "passes/search/symmetry/Shares.h"

#include <algorithm>
#include <cassert>

namespace sbp::search {
namespace {

void addWays(int64_t number, int64_t numKinds, Counts& prefix,
             std::vector<Counts>& ways) {
  if (static_cast<int64_t>(prefix.size()) + 1 == numKinds) {
    ways.push_back(prefix);
    ways.back().push_back(number);
    return;
  }
  for (int64_t taken = 0; taken <= number; ++taken) {
    prefix.push_back(taken);
    addWays(number - taken, numKinds, prefix, ways);
    prefix.pop_back();
  }
}

}  // namespace

Shares::Shares(int64_t numAxes, int64_t numKinds) : numKinds_(numKinds) {
  Counts prefix;
  addWays(numAxes, numKinds, prefix, ways_);
  for (Counts counts : ways_)
    for (Kind from = 0; from < numKinds; ++from)
      for (Kind to = 0; to < numKinds; ++to) {
        moved_.push_back(-1);
        if (counts[from] == 0) continue;
        --counts[from];
        ++counts[to];
        moved_.back() = wayOf(counts);
        ++counts[from];
        --counts[to];
      }
}

int32_t Shares::wayOf(const Counts& counts) const {
  auto found = std::lower_bound(ways_.begin(), ways_.end(), counts);
  assert(found != ways_.end() && *found == counts && "counts add up");
  return static_cast<int32_t>(found - ways_.begin());
}

}  // namespace sbp::search
