#include "passes/search/layout/Rows.h"

#include <algorithm>

namespace sbp::search {

Ticks Row::operator[](Layout layout) const {
  auto found = std::lower_bound(to.begin(), to.end(), layout);
  return found != to.end() && *found == layout ? ticks[found - to.begin()]
                                               : kNever;
}

int64_t Rows::size() const {
  int64_t number = 0;
  for (const auto& rows : rows_) number += static_cast<int64_t>(rows.size());
  return number;
}

Values Rows::countedRow(int64_t block, Layout from) const {
  const Walk& walk = priced_->block(block);
  Values values(priced_->space().numLayouts(), kNever);
  values[from] = 0;
  values = walk.advance(std::move(values));
  if (walk.block().hasSkip) {
    Values skip = priced_->skipFrom(from);
    for (size_t i = 0; i < values.size(); ++i) values[i] += skip[i];
  }
  const Values& addition = priced_->addition();
  for (size_t i = 0; i < values.size(); ++i) values[i] += addition[i];
  return values;
}

Values Rows::advance(int64_t block, const Values& values) const {
  Values bounded = values;
  for (const auto& [from, unused] : rows_[block]) bounded[from] = kNever;
  bounded = priced_->block(block).advance(std::move(bounded));
  const Values& addition = priced_->addition();
  for (size_t i = 0; i < bounded.size(); ++i) bounded[i] += addition[i];
  for (const auto& [from, row] : rows_[block])
    for (size_t i = 0; i < row.to.size(); ++i)
      bounded[row.to[i]] =
          std::min(bounded[row.to[i]], values[from] + row.ticks[i]);
  return bounded;
}

Values Rows::retreat(int64_t block, const Values& values) const {
  const Values& addition = priced_->addition();
  Values bounded = values;
  for (size_t i = 0; i < bounded.size(); ++i) bounded[i] += addition[i];
  bounded = priced_->block(block).retreat(std::move(bounded));
  for (size_t i = 0; i < bounded.size(); ++i)
    if (addition[i] == kNever) bounded[i] = kNever;
  for (const auto& [from, row] : rows_[block]) {
    Ticks least = kNever;
    for (size_t i = 0; i < row.to.size(); ++i)
      least = std::min(least, values[row.to[i]] + row.ticks[i]);
    bounded[from] = least;
  }
  return bounded;
}

}  // namespace sbp::search
