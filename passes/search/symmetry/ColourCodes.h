// Coloured layouts (Crossing.h) as integers.
//
// The axes of one class that have one kind in a given start layout form a
// colour. A coloured layout has, for each colour, the number of axes of each
// kind: one of few ways to distribute the axes of the colour among kinds
// (Shares.h). A code has some bits for each colour, with the index of this way.
// So moving an axis to another kind changes a few bits, and nothing has to be
// counted again.

#ifndef PASSES_SEARCH_SYMMETRY_COLOURCODES_H_
#define PASSES_SEARCH_SYMMETRY_COLOURCODES_H_

#include <cstdint>
#include <vector>

#include "passes/search/symmetry/LayoutSpace.h"

namespace sbp::search {

/// Whether axes are distinguished by their kinds at the start of a block, or
/// only by class.
enum class Axes { Named, Alike };

/// A coloured layout.
using ColourCode = uint64_t;

/// The colours of a start layout, and the bits that each has in a code.
class ColourCodes {
 public:
  /// A colour, and its bits.
  struct Colour {
    int64_t axisClass = 0, level = 0, prime = 2;
    const Shares* shares = nullptr;
    int32_t shift = 0;  // position of its lowest bit
    ColourCode mask = 0;

    int64_t wayIn(ColourCode code) const { return (code >> shift) & mask; }
    ColourCode with(ColourCode code, int64_t way) const {
      return (code & ~(mask << shift)) | static_cast<ColourCode>(way) << shift;
    }
  };

  /// Makes a colour for each class and each kind that axes of the class have in
  /// `start`; or, if `axes` is Alike, one for each class. `plain` must outlive
  /// this object.
  ColourCodes(const LayoutSpace& plain, Layout start, Axes axes);

  const std::vector<Colour>& colours() const { return colours_; }
  ColourCode start() const { return start_; }
  /// Whether codes fit into 64 bits.
  bool fit() const { return bits_ <= 64; }

 private:
  void add(const LayoutSpace& plain, int64_t axisClass, const Counts& counts);

  std::vector<Colour> colours_;
  ColourCode start_ = 0;
  int32_t bits_ = 0;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_SYMMETRY_COLOURCODES_H_
