// Layouts that count axes by colour (Crossing.h). The colour of an axis is its
// kind in a given start layout.

#ifndef PASSES_SEARCH_SYMMETRY_COLOUREDSPACE_H_
#define PASSES_SEARCH_SYMMETRY_COLOUREDSPACE_H_

#include <cstddef>
#include <string>
#include <vector>

#include "passes/search/symmetry/LayoutSpace.h"

namespace sbp::search {

/// A colour: the axes of one class that have one kind at the start of a
/// crossing.
struct Colour {
  int64_t axisClass = 0;
  Kind kind = 0;
  int64_t number = 0;
};

/// Number of axes of each colour that have each kind: a byte each, colour by
/// colour.
using ColouredLayout = std::string;

/// Returns the layout without colours.
Layout forgetColours(const LayoutSpace& space,
                     const std::vector<Colour>& colours,
                     const ColouredLayout& layout);

/// The coloured layouts of a space with a given start.
class ColouredSpace {
 public:
  ColouredSpace(const LayoutSpace& plain, Layout start) : plain_(plain) {
    for (std::size_t c = 0; c < plain.classes().size(); ++c)
      for (Kind kind = 0; kind < plain.numKinds(); ++kind)
        if (int64_t number = plain.count(start, c, kind); number > 0)
          colours_.push_back({static_cast<int64_t>(c), kind, number});
  }

  const LayoutSpace& plain() const { return plain_; }
  const std::vector<Colour>& colours() const { return colours_; }
  const AxisClass& classOf(std::size_t colour) const {
    return plain_.classes()[colours_[colour].axisClass];
  }

  ColouredLayout start() const {
    ColouredLayout layout(colours_.size() * plain_.numKinds(), 0);
    for (std::size_t i = 0; i < colours_.size(); ++i)
      count(layout, i, colours_[i].kind) =
          static_cast<char>(colours_[i].number);
    return layout;
  }

  char& count(ColouredLayout& layout, std::size_t colour, Kind kind) const {
    return layout[colour * plain_.numKinds() + kind];
  }
  int64_t count(const ColouredLayout& layout, std::size_t colour,
                Kind kind) const {
    return layout[colour * plain_.numKinds() + kind];
  }

  Layout forget(const ColouredLayout& layout) const {
    return forgetColours(plain_, colours_, layout);
  }

  bool hasTerms(const ColouredLayout& layout) const {
    for (std::size_t i = 0; i < colours_.size(); ++i)
      if (count(layout, i, plain_.partial()) > 0) return true;
    return false;
  }

 private:
  const LayoutSpace& plain_;
  std::vector<Colour> colours_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_SYMMETRY_COLOUREDSPACE_H_
