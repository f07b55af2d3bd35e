#include "passes/search/layout/Passable.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "passes/search/layout/Trail.h"

namespace sbp::search {

Passable::Passable(const Trail& forward, const Trail& backward,
                   int64_t numPositions, Ticks limit) {
  std::vector<int64_t> positions(numPositions);
  std::iota(positions.begin(), positions.end(), 0);
  Meetings meetings = meetingsOf(forward, backward, positions, 0);
  sets_ = std::move(meetings.ofPosition);
  for (const auto& [position, offset] : meetings.all) {
    std::vector<Layout>& layouts = layouts_.emplace_back();
    auto before = forward.valuesAt(position);
    auto behind = backward.valuesAt(position);
    for (size_t x = 0; x < before->size(); ++x)
      if ((*before)[x] + (*behind)[x] + offset <= limit)
        layouts.push_back(static_cast<Layout>(x));
  }
}

std::size_t Passable::mostLayouts() const {
  std::size_t most = 0;
  for (const std::vector<Layout>& layouts : layouts_)
    most = std::max(most, layouts.size());
  return most;
}

}  // namespace sbp::search
