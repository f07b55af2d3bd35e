#include "passes/search/layout/PinnedWalk.h"

#include <algorithm>
#include <utility>

namespace sbp::search {

PinnedWalk::PinnedWalk(const PricedChain& priced, const Pin& pin)
    : priced_(&priced),
      pin_(pin),
      walk_(&priced.block(priced.blockAt(pin.position))) {
  if (walk_->costInWhole(pin.op, pin.result) == kNever) return;
  Values result =
      walk_->resultsOf(pin.op, onlyAt(pin.result, priced.space().numLayouts()));
  behind_ = walk_->takeLeg(pin.op + 1, result);
  for (int64_t next = pin.op + 1; next < walk_->numOps(); ++next)
    behind_ = walk_->takeLeg(next + 1, walk_->run(next, behind_));
  for (size_t y = 0; y < behind_.size(); ++y)
    behind_[y] += priced.addition()[y];
  before_ = walk_->takeLegBack(pin.op, walk_->runBack(pin.op, result));
  for (int64_t last = pin.op - 1; last >= 0; --last)
    before_ = walk_->takeLegBack(last, walk_->runBack(last, before_));
}

Values PinnedWalk::skip(Values values) const {
  if (hasSkip())
    priced_->terrain().wholeMoves().relax(priced_->skipTariff(), values);
  else
    std::fill(values.begin(), values.end(),
              *std::min_element(values.begin(), values.end()));
  return values;
}

Values PinnedWalk::skipBack(Values values) const {
  if (hasSkip())
    priced_->terrain().wholeMoves().relaxBackward(priced_->skipTariff(),
                                                  values);
  else
    std::fill(values.begin(), values.end(),
              *std::min_element(values.begin(), values.end()));
  return values;
}

}  // namespace sbp::search
