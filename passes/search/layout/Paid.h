// What is paid on the way to a layout.
//
// Either a cost, by time and the price for bytes; or a front, all times and
// bytes of which none is beaten in both. What is done with both has one name
// here, so that a search is written once.

#ifndef PASSES_SEARCH_LAYOUT_PAID_H_
#define PASSES_SEARCH_LAYOUT_PAID_H_

#include "absl/container/inlined_vector.h"
#include "passes/search/layout/PricedChain.h"

namespace sbp::search {

/// Times rise, bytes fall.
using Front = absl::InlinedVector<TimeAndBytes, 2>;

/// Leaves only what is not beaten in both.
void keepUnbeaten(Front& front);

/// Before anything is paid, and where nothing leads.
template <typename Paid>
Paid nothingPaid();
template <typename Paid>
Paid neverPaid();
template <>
inline Ticks nothingPaid() {
  return 0;
}
template <>
inline Front nothingPaid() {
  return {{0, 0}};
}
template <>
inline Ticks neverPaid() {
  return kNever;
}
template <>
inline Front neverPaid() {
  return {};
}

inline bool isNever(Ticks paid) { return paid == kNever; }
inline bool isNever(const Front& paid) { return paid.empty(); }

/// What is paid after so much more time, as far as that is at most `most`,
/// where bytes cost that much.
inline Ticks laterWithin(Ticks /*most*/, double /*bytePrice*/, Ticks paid,
                         Ticks ticks) {
  return paid + ticks;
}
Front laterWithin(Ticks most, double bytePrice, const Front& paid, Ticks ticks);

/// Lowers what is paid to `other`; whether it was more.
inline bool lowerTo(Ticks other, Ticks& paid) {
  if (!(other < paid)) return false;
  paid = other;
  return true;
}
bool lowerTo(const Front& other, Front& paid);

/// What is paid once an op has left its result in this layout, in any of the
/// ways to store its weights.
Front afterRun(const OpTable& table, Layout result, const Front& paid);

/// The same for op `op` of a block.
inline Ticks afterRun(const PricedChain& priced, int64_t block, int64_t op,
                      Layout result, Ticks paid) {
  return paid + priced.block(block).cost(op)[result];
}
inline Front afterRun(const PricedChain& priced, int64_t block, int64_t op,
                      Layout result, const Front& paid) {
  return afterRun(priced.blockTables(block)[op], result, paid);
}

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_PAID_H_
