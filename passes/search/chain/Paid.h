// Costs paid on the way to a layout, in two forms: one number, which is time
// plus a price for every byte; or a front, the non-dominated pairs of time and
// bytes. Each operation has one name for both forms, so that a search is
// written once.

#ifndef PASSES_SEARCH_CHAIN_PAID_H_
#define PASSES_SEARCH_CHAIN_PAID_H_

#include "absl/container/inlined_vector.h"
#include "passes/search/chain/PricedChain.h"

namespace sbp::search {

/// Non-dominated pairs: times rise, bytes fall.
using Front = absl::InlinedVector<TimeAndBytes, 2>;

/// Removes dominated pairs.
void keepUnbeaten(Front& front);

/// nothingPaid() returns what is paid at the start, neverPaid() what is paid at
/// a layout that cannot be reached.
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

/// Returns `paid` plus `ticks`. Drops pairs of a front whose cost at
/// `bytePrice` is then above `most`.
inline Ticks laterWithin(Ticks /*most*/, double /*bytePrice*/, Ticks paid,
                         Ticks ticks) {
  return paid + ticks;
}
Front laterWithin(Ticks most, double bytePrice, const Front& paid, Ticks ticks);

/// Lowers `paid` to `other`; merges fronts. Returns whether this changes
/// `paid`.
inline bool lowerTo(Ticks other, Ticks& paid) {
  if (!(other < paid)) return false;
  paid = other;
  return true;
}
bool lowerTo(const Front& other, Front& paid);

/// Returns `paid` plus the cost of an op whose result has layout `result`. The
/// front has the costs of all storages of the op's weights.
Front afterRun(const OpTable& table, Layout result, const Front& paid);

/// Returns the same for op `op` of a block.
inline Ticks afterRun(const PricedChain& priced, int64_t block, int64_t op,
                      Layout result, Ticks paid) {
  return paid + priced.block(block).cost(op)[result];
}
inline Front afterRun(const PricedChain& priced, int64_t block, int64_t op,
                      Layout result, const Front& paid) {
  return afterRun(priced.blockTables(block)[op], result, paid);
}

}  // namespace sbp::search

#endif  // PASSES_SEARCH_CHAIN_PAID_H_
