// Orbits of placements under the renamings of axes that keep a given start
// layout: its stabiliser (lifting/BlockTransition.h).

#ifndef PASSES_SEARCH_SYMMETRY_STABILISERSPACE_H_
#define PASSES_SEARCH_SYMMETRY_STABILISERSPACE_H_

#include <cstddef>
#include <string>
#include <vector>

#include "passes/search/symmetry/LayoutSpace.h"

namespace sbp::search {

/// An axis orbit: the axes of one class that have one kind in the start layout.
struct AxisOrbit {
  int64_t axisClass = 0;
  Kind kind = 0;
  int64_t number = 0;
};

/// Number of axes of each axis orbit that have each kind: a byte each, one axis
/// orbit after the other.
using StabiliserOrbit = std::string;

/// Returns the layout of an orbit: its counts over all axis orbits.
Layout layoutOf(const LayoutSpace& space,
                const std::vector<AxisOrbit>& axisOrbits,
                const StabiliserOrbit& layout);

/// The stabiliser orbits of a space with a given start.
class StabiliserSpace {
 public:
  StabiliserSpace(const LayoutSpace& plain, Layout start) : plain_(plain) {
    for (std::size_t c = 0; c < plain.classes().size(); ++c)
      for (Kind kind = 0; kind < plain.numKinds(); ++kind)
        if (int64_t number = plain.count(start, c, kind); number > 0)
          axisOrbits_.push_back({static_cast<int64_t>(c), kind, number});
  }

  const LayoutSpace& plain() const { return plain_; }
  const std::vector<AxisOrbit>& axisOrbits() const { return axisOrbits_; }
  const AxisClass& classOf(std::size_t axisOrbit) const {
    return plain_.classes()[axisOrbits_[axisOrbit].axisClass];
  }

  StabiliserOrbit start() const {
    StabiliserOrbit layout(axisOrbits_.size() * plain_.numKinds(), 0);
    for (std::size_t i = 0; i < axisOrbits_.size(); ++i)
      count(layout, i, axisOrbits_[i].kind) =
          static_cast<char>(axisOrbits_[i].number);
    return layout;
  }

  char& count(StabiliserOrbit& layout, std::size_t axisOrbit, Kind kind) const {
    return layout[axisOrbit * plain_.numKinds() + kind];
  }
  int64_t count(const StabiliserOrbit& layout, std::size_t axisOrbit,
                Kind kind) const {
    return layout[axisOrbit * plain_.numKinds() + kind];
  }

  Layout layoutOf(const StabiliserOrbit& layout) const {
    return search::layoutOf(plain_, axisOrbits_, layout);
  }

  bool hasTerms(const StabiliserOrbit& layout) const {
    for (std::size_t i = 0; i < axisOrbits_.size(); ++i)
      if (count(layout, i, plain_.partial()) > 0) return true;
    return false;
  }

 private:
  const LayoutSpace& plain_;
  std::vector<AxisOrbit> axisOrbits_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_SYMMETRY_STABILISERSPACE_H_
