// The fastest plan that needs at most so many bytes on a device.
//
// Bound. Let each byte cost lambda: the least of time + lambda * bytes over all
// plans, less lambda times the limit, is at most the time of any plan within
// the limit. The search finds that least for any lambda; the best lambda lies
// where plans within the limit and plans beyond it cost the same, and is found
// by secants between one of each.
//
// Plan. Those two plans differ in every layer, and one leaves memory unused
// while the other needs too much. But layers are free to differ: a dynamic
// program over (time, bytes) goes through the layouts of both and from either
// to the other, with the ways to cross a block that are best for prices around
// lambda. Every crossing is one of named axes, so the plan is real. How far it
// is above the bound is told.
//
// Memory is that of ops alone (OpCost.h), and any layout can be brought to any
// other. So the fewest bytes are those of each op for itself, and a limit below
// that cannot be met: it is known how many bytes are missing.

#ifndef PASSES_SEARCH_LAYOUT_MEMORYLIMIT_H_
#define PASSES_SEARCH_LAYOUT_MEMORYLIMIT_H_

#include <vector>

#include "passes/search/layout/ExactSearch.h"

namespace sbp::search {

struct LimitedAnswer {
  Ticks cost = kNever;  // kNever: no plan was found
  double bytes = 0;
  Ticks lowerBound = 0;  // kNever: there is none
  double fewestBytes = 0;
  int64_t searches = 0;
};

/// A plan on the hull of time and memory: the best for some price of a byte.
struct HullPlan {
  double ticksPerByte = 0;
  Ticks cost = kNever;
  double bytes = 0;
  Ticks bound = 0;  // no plan has less cost + ticksPerByte * bytes
  std::vector<Layout> residuals;
};

class MemoryLimit {
 public:
  /// `priced` counts memory; its price of a byte is changed. Searches for
  /// bounds end when within `enoughGap`.
  MemoryLimit(PricedChain& priced, double enoughGap);

  /// The fewest bytes that any plan needs.
  double fewestBytes() const;

  LimitedAnswer solve(double limitBytes);

  /// Plans of the hull, from the fastest to one with few bytes; each that is
  /// looked for lies between two neighbours.
  std::vector<HullPlan> front(int64_t number);

 private:
  struct Crossed;
  const HullPlan& hullPlan(double ticksPerByte);
  double fewestBytesOf(const std::vector<OpTable>& tables) const;
  LimitedAnswer mix(const HullPlan& fast, const HullPlan& small,
                    double limitBytes);

  PricedChain* priced_;
  double enoughGap_;
  std::map<double, HullPlan> known_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_MEMORYLIMIT_H_
