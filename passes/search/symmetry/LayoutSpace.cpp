#include "passes/search/symmetry/LayoutSpace.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace sbp::search {
namespace {

/// Returns the distinct primes of some classes, with the number of axes of
/// each.
std::vector<AxisClass> byPrime(const std::vector<AxisClass>& classes) {
  std::vector<AxisClass> merged;
  for (const AxisClass& axisClass : classes) {
    auto same = std::find_if(
        merged.begin(), merged.end(),
        [&](const AxisClass& other) { return other.prime == axisClass.prime; });
    if (same == merged.end())
      merged.push_back(axisClass);
    else
      same->number += axisClass.number;
  }
  return merged;
}

}  // namespace

std::vector<AxisClass> axisClassesOf(const std::vector<Level>& levels) {
  std::vector<AxisClass> classes;
  for (size_t level = 0; level < levels.size(); ++level) {
    int64_t count = levels[level].count;
    for (int64_t prime = 2; count > 1; ++prime) {
      int64_t number = 0;
      for (; count % prime == 0; count /= prime) ++number;
      if (number > 0)
        classes.push_back({static_cast<int64_t>(level), prime, number});
    }
  }
  return classes;
}

LayoutSpace::LayoutSpace(std::vector<Level> levels, int64_t numDims,
                         Terms terms)
    : LayoutSpace(levels, axisClassesOf(levels), numDims, terms) {}

LayoutSpace::LayoutSpace(std::vector<Level> levels,
                         std::vector<AxisClass> classes, int64_t numDims,
                         Terms terms)
    : levels_(std::move(levels)),
      numDims_(numDims),
      terms_(terms),
      classes_(std::move(classes)) {
  numParts_.assign(levels_.size(), 1);
  for (size_t c = 0; c < classes_.size(); ++c) {
    for (int64_t number = static_cast<int64_t>(shares_.size());
         number <= classes_[c].number; ++number)
      shares_.emplace_back(number, numKinds());
    numParts_[classes_[c].level] *= sharesOf(c).numWays();
  }
  levelsInside_.resize(levels_.size());
  std::iota(levelsInside_.begin(), levelsInside_.end(), 0);
  std::sort(levelsInside_.begin(), levelsInside_.end(),
            [&](int64_t a, int64_t b) {
              return std::tie(numParts_[b], a) < std::tie(numParts_[a], b);
            });
  strides_.resize(classes_.size());
  levelStrides_.resize(levels_.size());
  for (int64_t level : levelsInside_) {
    levelStrides_[level] = numLayouts_;
    for (size_t c = 0; c < classes_.size(); ++c)
      if (classes_[c].level == level) {
        strides_[c] = numLayouts_;
        numLayouts_ *= sharesOf(c).numWays();
      }
  }
  describeParts();
}

void LayoutSpace::describeParts() {
  std::vector<AxisClass> primes = byPrime(classes_);
  heldFractions_ = {1};
  std::vector<int64_t> heldStrides;
  for (const AxisClass& axes : primes) {
    heldStrides.push_back(static_cast<int64_t>(heldFractions_.size()));
    for (size_t i = 0, n = heldFractions_.size() * axes.number; i < n; ++i)
      heldFractions_.push_back(heldFractions_[i] /
                               static_cast<double>(axes.prime));
  }

  for (size_t level = 0; level < levels_.size(); ++level) {
    int64_t parts = numParts_[level], stride = levelStrides_[level];
    auto& held = heldIndices_.emplace_back(parts, 0);
    auto& devices = devices_.emplace_back(parts * numKinds(), 1);
    for (int64_t part = 0; part < parts; ++part)
      for (size_t c = 0; c < classes_.size(); ++c) {
        if (classes_[c].level != static_cast<int64_t>(level)) continue;
        size_t p = 0;
        while (primes[p].prime != classes_[c].prime) ++p;
        for (Kind kind = 0; kind < numKinds(); ++kind) {
          int64_t number = count(static_cast<Layout>(part * stride), c, kind);
          if (kind < numDims_)
            held[part] += static_cast<int32_t>(number * heldStrides[p]);
          for (; number > 0; --number)
            devices[part * numKinds() + kind] *=
                static_cast<double>(classes_[c].prime);
        }
      }
  }
}

Layout LayoutSpace::layoutOf(const std::vector<Counts>& counts) const {
  int64_t layout = 0;
  for (size_t c = 0; c < classes_.size(); ++c)
    layout += sharesOf(c).wayOf(counts[c]) * strides_[c];
  return static_cast<Layout>(layout);
}

Layout LayoutSpace::dual(Layout layout) const {
  int64_t result = 0;
  for (size_t c = 0; c < classes_.size(); ++c) {
    Counts counts = sharesOf(c).counts(wayOf(layout, c));
    std::swap(counts[broadcast()], counts[partial()]);
    result += sharesOf(c).wayOf(counts) * strides_[c];
  }
  return static_cast<Layout>(result);
}

Relabelling::Relabelling(const LayoutSpace& from, const LayoutSpace& to,
                         const std::vector<Kind>& kinds,
                         const std::vector<int64_t>& classes)
    : table_(from.numLayouts()) {
  // Levels are translated one by one, and a layout is the sum of its parts.
  std::vector<std::vector<Layout>> parts(from.levels().size());
  for (size_t level = 0; level < parts.size(); ++level)
    for (int64_t part = 0; part < from.numParts(level); ++part) {
      std::vector<std::vector<int64_t>> counts;
      for (const AxisClass& axes : to.classes()) {
        counts.emplace_back(to.numKinds(), 0);
        // Axes of other levels have no influence here, so any of their parts
        // will do.
        if (axes.level != static_cast<int64_t>(level))
          counts.back()[0] = axes.number;
      }
      auto layout = static_cast<Layout>(part * from.stride(level));
      for (size_t c = 0; c < from.classes().size(); ++c)
        if (from.classes()[c].level == static_cast<int64_t>(level))
          for (Kind kind = 0; kind < from.numKinds(); ++kind)
            counts[classes[c]][kinds[kind]] += from.count(layout, c, kind);
      parts[level].push_back(static_cast<Layout>(
          to.partOf(to.layoutOf(counts), level) * to.stride(level)));
    }
  for (Layout layout = 0; layout < from.numLayouts(); ++layout)
    for (size_t level = 0; level < parts.size(); ++level)
      table_[layout] += parts[level][from.partOf(layout, level)];
}

}  // namespace sbp::search
