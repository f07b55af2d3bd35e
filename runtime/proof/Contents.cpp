#include "runtime/proof/Contents.h"

#include <iterator>

namespace sbp::proof {

Contents::Cells::const_iterator Contents::firstBehind(int64_t begin) const {
  auto cell = cells_.upper_bound(begin);
  if (cell != cells_.begin() && std::prev(cell)->second.end > begin) --cell;
  return cell;
}

// Erases each cell that is overwritten even in part: the rest of the cell no
// longer holds a value.
void Contents::write(int64_t begin, int64_t bytes, Content content) {
  if (bytes == 0) return;
  const int64_t end = begin + bytes;
  auto cell = firstBehind(begin);
  while (cell != cells_.end() && cell->first < end) cell = cells_.erase(cell);
  cells_.emplace_hint(cell, begin, Cell{end, content});
}

Content Contents::read(int64_t begin, int64_t bytes) const {
  const auto cell = firstBehind(begin);
  if (cell == cells_.end() || cell->first > begin ||
      cell->second.end < begin + bytes)
    return {};
  return cell->second.content;
}

bool Contents::isArriving(int64_t begin, int64_t bytes) const {
  for (auto cell = firstBehind(begin);
       cell != cells_.end() && cell->first < begin + bytes; ++cell)
    if (cell->second.content.value == Content::kArriving) return true;
  return false;
}

}  // namespace sbp::proof
