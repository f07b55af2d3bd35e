// Distributions of alike axes among kinds.

#ifndef PASSES_SEARCH_SYMMETRY_SHARES_H_
#define PASSES_SEARCH_SYMMETRY_SHARES_H_

#include <cstdint>
#include <vector>

namespace sbp::search {

/// Kind of a mesh axis for a tensor. Kinds 0 ... numDims-1 split the tensor
/// along that dimension; LayoutSpace::broadcast() and partial() are the others.
using Kind = int32_t;

/// Number of axes of each kind.
using Counts = std::vector<int64_t>;

/// All ways to distribute a number of axes among kinds, in lexicographic order
/// of their counts.
class Shares {
 public:
  Shares(int64_t numAxes, int64_t numKinds);

  int64_t numWays() const { return static_cast<int64_t>(ways_.size()); }
  const Counts& counts(int64_t way) const { return ways_[way]; }
  /// Returns the index of the way with these counts, which must add up to all
  /// axes.
  int32_t wayOf(const Counts& counts) const;
  /// Returns the way that differs from `way` in one axis: it has the kind `to`
  /// instead of `from`. Some axis of `way` must have the kind `from`.
  int32_t moved(int64_t way, Kind from, Kind to) const {
    return moved_[(way * numKinds_ + from) * numKinds_ + to];
  }

 private:
  int64_t numKinds_;
  std::vector<Counts> ways_;
  std::vector<int32_t> moved_;  // per way, `from` and `to`
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_SYMMETRY_SHARES_H_
