#include "passes/search/layout/NarrowLists.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace sbp::search {
namespace {

/// Most anchors of a block: each has values of all layouts per leg.
constexpr size_t kMostAnchors = 4;

std::optional<Row> find(NarrowRows& rows, Layout from, Ticks upTo,
                        size_t most) {
  return rows.row(from, upTo, most);
}

std::optional<Row> find(NarrowColumns& columns, Layout to, Ticks upTo,
                        size_t most) {
  return columns.column(to, upTo, most);
}

}  // namespace

template <typename Narrow>
NarrowLists<Narrow>::NarrowLists(Maker maker, SkipAnchor anchor)
    : maker_(std::move(maker)) {
  finders_.push_back({maker_.make(std::move(anchor))});
}

template <typename Narrow>
void NarrowLists<Narrow>::addAnchor(Layout layout) {
  if (maker_.anchorAt)
    finders_.push_back({maker_.make(maker_.anchorAt(layout))});
}

template <typename Narrow>
size_t NarrowLists<Narrow>::closest(Layout layout) const {
  auto found = std::max_element(
      finders_.begin(), finders_.end(), [&](const Finder& a, const Finder& b) {
        return a.narrow.least(layout) < b.narrow.least(layout);
      });
  return found - finders_.begin();
}

template <typename Narrow>
const ListedCrossings* NarrowLists<Narrow>::list(
    Layout layout, Ticks known, Ticks upTo,
    const std::function<void(Row&)>& raise) {
  Finder& finder = finders_[closest(layout)];
  const ListedCrossings* listed = listBy(finder, layout, known, upTo, raise);
  // A higher bound helps if a low bound is what makes lists long.
  bool areClose = known - finder.narrow.least(layout) <= upTo - known;
  if (listed || areClose || !maker_.anchorAt || finders_.size() == kMostAnchors)
    return listed;
  addAnchor(layout);
  return listBy(finders_.back(), layout, known, upTo, raise);
}

template <typename Narrow>
const ListedCrossings* NarrowLists<Narrow>::listBy(
    Finder& finder, Layout layout, Ticks known, Ticks upTo,
    const std::function<void(Row&)>& raise) {
  auto [place, isNew] = finder.listed.try_emplace(layout);
  ListedCrossings& listed = place->second;
  Ticks least = finder.narrow.least(layout);
  // Costs are integers.
  if (isNew) listed.upTo = std::ceil(least) - 1;
  if (listed.upTo >= upTo) return &listed;
  // A list that is asked for again will probably be asked for once more.
  Ticks again = isNew ? 0 : upTo - known;
  for (Ticks further : {again, 0.0}) {
    if (upTo + further - least >= finder.gaveUp) continue;
    if (auto row = find(finder.narrow, layout, upTo + further, maker_.most)) {
      raise(*row);
      listed = {upTo + further, *std::move(row)};
      return &listed;
    }
    finder.gaveUp = upTo + further - least;
  }
  return nullptr;
}

template <typename Narrow>
void NarrowLists<Narrow>::raiseListed(
    const std::function<void(Layout, Row&)>& raise) {
  for (Finder& finder : finders_)
    for (auto& [layout, listed] : finder.listed) raise(layout, listed.row);
}

template <typename Narrow>
void NarrowLists<Narrow>::forget() {
  for (Finder& finder : finders_) finder.listed.clear();
}

template class NarrowLists<NarrowRows>;
template class NarrowLists<NarrowColumns>;

}  // namespace sbp::search
