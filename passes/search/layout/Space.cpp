#include "passes/search/layout/Space.h"

#include <algorithm>
#include <cassert>

namespace sbp::search {
namespace {

/// The classes of axes of a level: its count's prime factors.
void addClasses(int64_t level, int64_t count, std::vector<AxisClass>& classes) {
  for (int64_t prime = 2; count > 1; ++prime) {
    int64_t number = 0;
    for (; count % prime == 0; count /= prime) ++number;
    if (number > 0) classes.push_back({level, prime, number});
  }
}

/// All ways to share `number` axes out among `numKinds` kinds, in lexicographic
/// order.
void addCounts(int64_t number, int64_t numKinds, std::vector<int64_t>& prefix,
               std::vector<std::vector<int64_t>>& all) {
  if (static_cast<int64_t>(prefix.size()) + 1 == numKinds) {
    all.push_back(prefix);
    all.back().push_back(number);
    return;
  }
  for (int64_t taken = 0; taken <= number; ++taken) {
    prefix.push_back(taken);
    addCounts(number - taken, numKinds, prefix, all);
    prefix.pop_back();
  }
}

}  // namespace

LayoutSpace::LayoutSpace(std::vector<Level> levels, int64_t numDims)
    : levels_(std::move(levels)), numDims_(numDims) {
  for (size_t level = 0; level < levels_.size(); ++level)
    addClasses(level, levels_[level].count, classes_);
  for (const AxisClass& axisClass : classes_) {
    Counts prefix;
    addCounts(axisClass.number, numKinds(), prefix, counts_.emplace_back());
    strides_.push_back(numLayouts_);
    numLayouts_ *= static_cast<int64_t>(counts_.back().size());
  }
  heldFraction_.assign(numLayouts_, 1);
  for (Layout layout = 0; layout < numLayouts_; ++layout)
    for (size_t c = 0; c < classes_.size(); ++c)
      for (Kind dim = 0; dim < numDims_; ++dim)
        for (int64_t n = count(layout, c, dim); n > 0; --n)
          heldFraction_[layout] /= static_cast<double>(classes_[c].prime);
}

int64_t LayoutSpace::indexOf(int64_t axisClass, const Counts& counts) const {
  const std::vector<Counts>& all = counts_[axisClass];
  auto found = std::lower_bound(all.begin(), all.end(), counts);
  assert(found != all.end() && *found == counts && "counts add up");
  return found - all.begin();
}

Layout LayoutSpace::moved(Layout layout, int64_t axisClass, Kind from,
                          Kind to) const {
  int64_t before = countsIndex(layout, axisClass);
  Counts counts = counts_[axisClass][before];
  assert(counts[from] > 0 && "there is an axis to move");
  --counts[from];
  ++counts[to];
  return static_cast<Layout>(layout + (indexOf(axisClass, counts) - before) *
                                          strides_[axisClass]);
}

Layout LayoutSpace::layoutOf(
    const std::vector<std::vector<int64_t>>& counts) const {
  int64_t layout = 0;
  for (size_t c = 0; c < classes_.size(); ++c)
    layout += indexOf(c, counts[c]) * strides_[c];
  return static_cast<Layout>(layout);
}

Layout LayoutSpace::dual(Layout layout) const {
  int64_t result = 0;
  for (size_t c = 0; c < classes_.size(); ++c) {
    Counts counts = counts_[c][countsIndex(layout, c)];
    std::swap(counts[broadcast()], counts[partial()]);
    result += indexOf(c, counts) * strides_[c];
  }
  return static_cast<Layout>(result);
}

}  // namespace sbp::search
