#include "passes/search/layout/ColourCodes.h"

namespace sbp::search {

ColourCodes::ColourCodes(const LayoutSpace& plain, Layout start) {
  for (size_t c = 0; c < plain.classes().size(); ++c) {
    const AxisClass& axes = plain.classes()[c];
    for (Kind kind = 0; kind < plain.numKinds(); ++kind) {
      int64_t number = plain.count(start, c, kind);
      if (number == 0) continue;
      const Shares& ways = plain.shares(number);
      int32_t bits = 0;
      while ((int64_t{1} << bits) < ways.numWays()) ++bits;
      Colour colour{static_cast<int64_t>(c),
                    axes.level,
                    axes.prime,
                    kind,
                    &ways,
                    bits_,
                    (ColourCode{1} << bits) - 1};
      bits_ += bits;
      if (!fit()) return;
      std::vector<int64_t> counts(plain.numKinds(), 0);
      counts[kind] = number;
      start_ = colour.with(start_, ways.wayOf(counts));
      colours_.push_back(colour);
    }
  }
}

}  // namespace sbp::search
