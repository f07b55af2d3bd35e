// Stabiliser orbits (BlockTransition.h) as integers.
//
// The axes of one class that have one kind in a given start layout form an axis
// orbit. A stabiliser orbit has, for each axis orbit, the number of axes of
// each kind: one of few ways to distribute the axes of the axis orbit among
// kinds (Shares.h). A code has some bits for each axis orbit, with the index of
// this way. So moving an axis to another kind changes a few bits, and nothing
// has to be counted again.

#ifndef PASSES_SEARCH_SYMMETRY_ORBITCODES_H_
#define PASSES_SEARCH_SYMMETRY_ORBITCODES_H_

#include <cstdint>
#include <vector>

#include "passes/search/symmetry/LayoutSpace.h"

namespace sbp::search {

/// Whether axes are distinguished by their kinds at the start of a block, or
/// only by class.
enum class Axes { ByStart, ByClass };

/// A stabiliser orbit.
using OrbitCode = uint64_t;

/// The axis orbits of a start layout, and the bits that each has in a code.
class OrbitCodes {
 public:
  /// An axis orbit, and its bits.
  struct AxisOrbit {
    int64_t axisClass = 0, level = 0, prime = 2;
    const Shares* shares = nullptr;
    int32_t shift = 0;  // position of its lowest bit
    OrbitCode mask = 0;

    int64_t wayIn(OrbitCode code) const { return (code >> shift) & mask; }
    OrbitCode with(OrbitCode code, int64_t way) const {
      return (code & ~(mask << shift)) | static_cast<OrbitCode>(way) << shift;
    }
  };

  /// Makes an axis orbit for each class and each kind that axes of the class
  /// have in `start`; or, if `axes` is ByClass, one for each class. `plain`
  /// must outlive this object.
  OrbitCodes(const LayoutSpace& plain, Layout start, Axes axes);

  const std::vector<AxisOrbit>& axisOrbits() const { return axisOrbits_; }
  OrbitCode start() const { return start_; }
  /// Whether codes fit into 64 bits.
  bool fit() const { return bits_ <= 64; }

 private:
  void add(const LayoutSpace& plain, int64_t axisClass, const Counts& counts);

  std::vector<AxisOrbit> axisOrbits_;
  OrbitCode start_ = 0;
  int32_t bits_ = 0;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_SYMMETRY_ORBITCODES_H_
