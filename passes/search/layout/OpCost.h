// What an op costs in each of its states: time, and bytes on each device.
//
// Time is that of all micro-batches of a step: of each device's part of the
// work by the roofline, three times (forward, and a gradient for each operand),
// what split loops exchange, and the synchronisation of weights over the axes
// that do not cut them. A reduce-scatter or gather over several levels goes
// level by level, the fastest level where the most is held.
//
// Weights may be stored in several ways. An all-reduce is a reduce-scatter and
// a gather, so that it costs nothing to keep the optimiser's state in parts:
// that is the least that is done.
//
//   way             moves per step, of the part w of the weight      bytes
//   Z1              scatter gradients, gather weights     2 w        w + g +
//   o/n Z2              scatter per micro-batch, gather   (A+1) w        w +
//   (g+o)/n Z3              gather twice, scatter               3 A w (w+g+o)/n
//   Z3 on a level   Z3 on the fastest level, Z1 across the others
//
// (n devices share the part; A micro-batches; o the optimiser's state.) Bytes
// are those, and the operand that the backward half needs, rounded up to whole
// bytes: so sums of them do not depend on their order.

#ifndef PASSES_SEARCH_LAYOUT_OPCOST_H_
#define PASSES_SEARCH_LAYOUT_OPCOST_H_

#include <cstddef>
#include <vector>

#include "passes/search/layout/Chain.h"
#include "passes/search/layout/Ticks.h"

namespace sbp::search {

struct TimeAndBytes {
  Ticks ticks = kNever;
  double bytes = 0;
};

/// Prices the states of one op.
class OpPricer {
 public:
  /// `space` has the layouts of the op's result. All must outlive this.
  OpPricer(const Chain& chain, const Op& op, const LayoutSpace& space);

  /// Takes never, if the op cannot run like this. Ops without weights have only
  /// Z1, and nothing to store.
  TimeAndBytes price(Layout result, Storage storage) const;

 private:
  /// Axes of one level, taken together.
  struct Group {
    double devices = 1;
    double rounds = 0;  // of rings along its axes, one after the other
  };
  /// Per level and part.
  using Groups = std::vector<std::vector<Group>>;

  Groups groupsOf(const std::vector<bool>& kinds) const;
  /// Scatters (or gathers) `bytes`, once, over the groups of some levels.
  double scatterSeconds(const Groups& groups, Layout result, double bytes,
                        std::size_t firstLevel, std::size_t lastLevel) const;
  double devicesOf(const Groups& groups, Layout result) const;
  double weightSeconds(Layout result, Storage storage, double bytes) const;
  double weightBytes(Layout result, Storage storage, double parameters) const;

  const Chain& chain_;
  const Op& op_;
  const LayoutSpace& space_;
  std::vector<std::size_t> bySpeed_;  // levels, the fastest first
  Groups synchronised_;               // axes that do not cut the weight
  std::vector<Groups> ofLoops_;
  Groups ofOthers_;  // axes with kinds that no loop leaves, nor copies
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_OPCOST_H_
