#include "passes/search/layout/Passable.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "passes/search/layout/Trail.h"

namespace sbp::search {

Passable::Passable(const Trail& forward, const Trail& backward,
                   int64_t numPositions, Ticks limit) {
  std::map<std::tuple<int64_t, int64_t, Ticks>, int64_t> known;
  for (int64_t p = 0; p < numPositions; ++p) {
    Ticks offset = forward.offsetAt(p) + backward.offsetAt(p);
    auto [set, isNew] =
        known.try_emplace({forward.keyAt(p), backward.keyAt(p), offset},
                          static_cast<int64_t>(layouts_.size()));
    sets_.push_back(set->second);
    if (!isNew) continue;
    std::vector<Layout>& layouts = layouts_.emplace_back();
    auto before = forward.valuesAt(p), behind = backward.valuesAt(p);
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
