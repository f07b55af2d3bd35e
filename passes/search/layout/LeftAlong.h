// What is left to pay along a corridor, at several prices of a byte at once.
//
// Each price makes time and bytes one cost, and a pass back through the
// corridor finds the least of it from every layout at every position. At the
// price at which the corridor was found that says how near the optimum a label
// is; the others say it of labels that have taken more bytes than most, or
// fewer.

#ifndef PASSES_SEARCH_LAYOUT_LEFTALONG_H_
#define PASSES_SEARCH_LAYOUT_LEFTALONG_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "passes/search/layout/Corridor.h"

namespace sbp::search {

/// Prices of a byte, as multiples of that at which the corridor was found.
inline constexpr double kPrices[] = {1, 0, 1e6, 0.8, 1.25, 0.95, 1.05, 0.5, 2};
inline constexpr std::size_t kNumPrices = 9;

/// What is paid at each of these prices.
using Paid = std::array<Ticks, kNumPrices>;

class LeftAlong {
 public:
  /// `bytePrice` is the corridor's.
  LeftAlong(const Corridor& corridor, double bytePrice, double limitBytes);

  double limitBytes() const { return limitBytes_; }
  Paid of(const TimeAndBytes& cost) const {
    Paid paid;
    for (std::size_t i = 0; i < kNumPrices; ++i)
      paid[i] = cost.ticks + prices_[i] * cost.bytes;
    return paid;
  }

  /// The layouts at a position, in order: 0 is before the head.
  const std::vector<Layout>& layoutsAt(std::size_t position) const {
    return layouts_[position];
  }

  /// The most that plans that take `most` may have paid before the number-th
  /// layout at a position.
  Paid mostBefore(std::size_t position, int64_t number, Ticks most) const;

 private:
  double limitBytes_;
  Paid prices_;
  std::vector<std::vector<Layout>> layouts_;
  std::vector<std::vector<Paid>> left_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_LEFTALONG_H_
