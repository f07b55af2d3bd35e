// Coloured layouts as numbers.
//
// Of the axes of a colour it matters how many have each kind (Crossing.h): one
// of few ways to share them out. A code has for each colour the number of its
// way, some bits each. To move an axis changes these bits, and what is left
// when colours are forgotten follows: so nothing has to be counted on the way.

#ifndef PASSES_SEARCH_LAYOUT_COLOURCODES_H_
#define PASSES_SEARCH_LAYOUT_COLOURCODES_H_

#include <cstdint>
#include <vector>

#include "passes/search/layout/Space.h"

namespace sbp::search {

/// Whether axes are told apart where a block starts, or only counted.
enum class Axes { Named, Alike };

/// A coloured layout.
using ColourCode = uint64_t;

class ColourCodes {
 public:
  struct Colour {
    int64_t axisClass = 0, level = 0, prime = 2;
    const Shares* shares = nullptr;
    int32_t shift = 0;  // where its bits begin
    ColourCode mask = 0;

    int64_t wayIn(ColourCode code) const { return (code >> shift) & mask; }
    ColourCode with(ColourCode code, int64_t way) const {
      return (code & ~(mask << shift)) | static_cast<ColourCode>(way) << shift;
    }
  };

  /// By the kinds of axes in `start`, or without telling axes of a class apart.
  /// `plain` must outlive this.
  ColourCodes(const LayoutSpace& plain, Layout start, Axes axes);

  const std::vector<Colour>& colours() const { return colours_; }
  ColourCode start() const { return start_; }
  /// False if there are more colours than bits.
  bool fit() const { return bits_ <= 64; }

 private:
  void add(const LayoutSpace& plain, int64_t axisClass, const Counts& counts);

  std::vector<Colour> colours_;
  ColourCode start_ = 0;
  int32_t bits_ = 0;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_COLOURCODES_H_
