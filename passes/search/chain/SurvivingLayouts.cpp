#include "passes/search/chain/SurvivingLayouts.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "passes/search/chain/ValueFunctions.h"

namespace sbp::search {
namespace {

/// Two sets are merged if their union has at most kNearlyAll times the layouts
/// of either. A set is compared with the last kCompared sets, since different
/// blocks may alternate.
constexpr double kNearlyAll = 1.02;
constexpr int64_t kCompared = 6;

}  // namespace

SurvivingLayouts::SurvivingLayouts(const ValueFunctions& costToCome,
                                   const ValueFunctions& costToGo,
                                   int64_t numPositions, Ticks limit) {
  std::vector<int64_t> positions(numPositions);
  std::iota(positions.begin(), positions.end(), 0);
  ValuePairs pairs = valuePairsOf(costToCome, costToGo, positions, 0);
  std::vector<int64_t> ofMeeting;
  for (const auto& [position, offset] : pairs.all) {
    std::vector<Layout> layouts;
    auto before = costToCome.valuesAt(position);
    auto behind = costToGo.valuesAt(position);
    for (size_t x = 0; x < before->size(); ++x)
      if ((*before)[x] + (*behind)[x] + offset <= limit)
        layouts.push_back(static_cast<Layout>(x));
    ofMeeting.push_back(add(std::move(layouts)));
  }
  for (int64_t pair : pairs.ofPosition) sets_.push_back(ofMeeting[pair]);
}

int64_t SurvivingLayouts::add(std::vector<Layout> layouts) {
  auto number = static_cast<int64_t>(layouts_.size());
  int64_t last = std::max<int64_t>(number - kCompared, 0);
  for (int64_t set = number - 1; set >= last; --set) {
    std::vector<Layout>& known = layouts_[set];
    std::vector<Layout> both;
    std::set_union(layouts.begin(), layouts.end(), known.begin(), known.end(),
                   std::back_inserter(both));
    auto fewer = static_cast<double>(std::min(layouts.size(), known.size()));
    if (static_cast<double>(both.size()) > kNearlyAll * fewer) continue;
    known = std::move(both);
    return set;
  }
  layouts_.push_back(std::move(layouts));
  return number;
}

std::size_t SurvivingLayouts::mostLayouts() const {
  std::size_t most = 0;
  for (const std::vector<Layout>& layouts : layouts_)
    most = std::max(most, layouts.size());
  return most;
}

}  // namespace sbp::search
