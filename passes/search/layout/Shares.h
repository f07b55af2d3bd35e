// How axes that are alike may be shared out among kinds.

#ifndef PASSES_SEARCH_LAYOUT_SHARES_H_
#define PASSES_SEARCH_LAYOUT_SHARES_H_

#include <cstdint>
#include <vector>

namespace sbp::search {

/// What a mesh axis does to a tensor: kinds 0 ... numDims-1 split it along that
/// dimension.
using Kind = int32_t;

/// How many axes have each kind.
using Counts = std::vector<int64_t>;

/// All ways to share so many axes out, in lexicographic order of their counts.
class Shares {
 public:
  Shares(int64_t numAxes, int64_t numKinds);

  int64_t numWays() const { return static_cast<int64_t>(ways_.size()); }
  const Counts& counts(int64_t way) const { return ways_[way]; }
  /// The way with these counts, which add up to all axes.
  int32_t wayOf(const Counts& counts) const;
  /// The way in which one axis has the kind `to` in place of `from`. There is
  /// one that has `from`.
  int32_t moved(int64_t way, Kind from, Kind to) const {
    return moved_[(way * numKinds_ + from) * numKinds_ + to];
  }

 private:
  int64_t numKinds_;
  std::vector<Counts> ways_;
  std::vector<int32_t> moved_;  // per way, from and to
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_SHARES_H_
