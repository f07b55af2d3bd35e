// The cost that is left along a reduced space, for several prices of a byte at
// once.
//
// A price of a byte turns time and bytes into one cost. A backward pass through
// the reduced space finds the least cost from every layout at every position to
// the end. At the price at which the reduced space was found, this cost bounds
// how far plans with a label (Labels.h) are from the optimum. Other prices give
// better bounds for labels with more or fewer bytes than most labels.

#ifndef PASSES_SEARCH_BUDGET_PRICEDCOSTTOGO_H_
#define PASSES_SEARCH_BUDGET_PRICEDCOSTTOGO_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "passes/search/budget/ReducedSpace.h"

namespace sbp::search {

/// Prices of a byte, as multiples of the price at which the reduced space was
/// found.
inline constexpr double kPrices[] = {1, 0, 1e6, 0.8, 1.25, 0.95, 1.05, 0.5, 2};
inline constexpr std::size_t kNumPrices = 9;

/// Costs at each of these prices.
using Paid = std::array<Ticks, kNumPrices>;

/// The cost that is left, per position, layout and price.
class PricedCostToGo {
 public:
  /// `bytePrice` is the price at which the reduced space was found.
  PricedCostToGo(const ReducedSpace& reduced, double bytePrice,
                 double limitBytes);

  double limitBytes() const { return limitBytes_; }
  Paid of(const TimeAndBytes& cost) const {
    Paid paid;
    for (std::size_t i = 0; i < kNumPrices; ++i)
      paid[i] = cost.ticks + prices_[i] * cost.bytes;
    return paid;
  }

  /// Returns the layouts at a position, in ascending order. Position 0 is
  /// before the head.
  const std::vector<Layout>& layoutsAt(std::size_t position) const {
    return layouts_[position];
  }

  /// Returns, per price, the most that a plan of time `most` may have paid up
  /// to a layout: the one with index `number` in layoutsAt(position).
  Paid mostBefore(std::size_t position, int64_t number, Ticks most) const;

 private:
  double limitBytes_;
  Paid prices_;
  std::vector<std::vector<Layout>> layouts_;
  std::vector<std::vector<Paid>> left_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_BUDGET_PRICEDCOSTTOGO_H_
