#include "passes/search/budget/PricedCostToGo.h"

#include <algorithm>

namespace sbp::search {
namespace {

/// Factor that covers rounding of products with a price, and of their sums.
constexpr double kRoundedUp = 1 + 1e-14;

Paid never() {
  Paid paid;
  paid.fill(kNever);
  return paid;
}

void lower(const Paid& by, Paid& paid) {
  for (size_t i = 0; i < kNumPrices; ++i) paid[i] = std::min(paid[i], by[i]);
}

}  // namespace

PricedCostToGo::PricedCostToGo(const ReducedSpace& reduced, double bytePrice,
                               double limitBytes)
    : limitBytes_(limitBytes) {
  for (size_t i = 0; i < kNumPrices; ++i) prices_[i] = kPrices[i] * bytePrice;
  std::vector<Paid> arcs(reduced.arcs.size(), never());
  for (size_t i = 0; i < arcs.size(); ++i)
    for (const TimeAndBytes& cost : reduced.arcs[i].front)
      lower(of(cost), arcs[i]);
  size_t numSteps = reduced.steps.size();
  layouts_.resize(numSteps + 1);
  left_.resize(numSteps + 1);
  layouts_[numSteps] = {0};
  left_[numSteps] = {Paid{}};
  // Index of each layout at the current position; negative for most layouts.
  Layout last = 0;
  for (const Arc& arc : reduced.arcs) last = std::max({last, arc.from, arc.to});
  std::vector<int32_t> behind(last + 1, -1), here(last + 1, -1);
  behind[0] = 0;
  for (size_t step = numSteps; step-- > 0;) {
    std::vector<Layout>& layouts = layouts_[step];
    for (int64_t index : reduced.steps[step]) {
      const Arc& arc = reduced.arcs[index];
      if (arc.front.empty() || behind[arc.to] < 0) continue;
      int32_t& number = here[arc.from];
      if (number < 0) {
        number = 0;
        layouts.push_back(arc.from);
      }
    }
    std::sort(layouts.begin(), layouts.end());
    for (size_t i = 0; i < layouts.size(); ++i)
      here[layouts[i]] = static_cast<int32_t>(i);
    left_[step].assign(layouts.size(), never());
    for (int64_t index : reduced.steps[step]) {
      const Arc& arc = reduced.arcs[index];
      if (arc.front.empty() || behind[arc.to] < 0) continue;
      const Paid& rest = left_[step + 1][behind[arc.to]];
      Paid sum = arcs[index];
      for (size_t i = 0; i < kNumPrices; ++i) sum[i] += rest[i];
      lower(sum, left_[step][here[arc.from]]);
    }
    for (Layout layout : layouts_[step + 1]) behind[layout] = -1;
    std::swap(behind, here);
  }
}

Paid PricedCostToGo::mostBefore(size_t position, int64_t number,
                                Ticks most) const {
  Paid before;
  for (size_t i = 0; i < kNumPrices; ++i)
    before[i] = most + prices_[i] * limitBytes_ * kRoundedUp + 1 -
                left_[position][number][i];
  return before;
}

}  // namespace sbp::search
