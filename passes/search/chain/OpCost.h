// The cost of an op in each of its states: time, and bytes on each device.
//
// The time is that of all micro-batches of a step: the roofline of the busiest
// device, three times (forward, and a gradient for each operand); the exchanges
// of split loops; and the synchronisation of weights over the axes that do not
// cut them. A reduce-scatter or gather over several levels goes level by level;
// the fastest level moves while devices hold the most bytes: first in a
// reduce-scatter, last in a gather.
//
// Weights may be stored in several ways. An all-reduce is a reduce-scatter and
// a gather, so sharding the optimiser's state costs nothing. Each of these ways
// shards at least this state:
//
//                  moves per step                      volume   bytes
//   Z1             scatter gradients, gather weights    2 w     w + g + o/n
//   Z2             scatter per micro-batch, gather    (A+1) w   w + (g+o)/n
//   Z3             gather twice and scatter per
//                  micro-batch                          3 A w   (w+g+o)/n
//   Z3 on a level  Z3 on the fastest level, Z1 across the others
//
// Here w is the device's part of the weight, g its gradient, o the optimiser's
// state, n the number of devices that share the part, and A the number of
// micro-batches. Bytes also include the operand, which the backward half needs.
// They are rounded up to whole bytes, so sums do not depend on their order.

#ifndef PASSES_SEARCH_CHAIN_OPCOST_H_
#define PASSES_SEARCH_CHAIN_OPCOST_H_

#include <cstddef>
#include <vector>

#include "passes/search/chain/Chain.h"
#include "passes/search/redistribution/Ticks.h"

namespace sbp::search {

/// Time of a step, and bytes of memory per device.
struct TimeAndBytes {
  Ticks ticks = kNever;
  double bytes = 0;
};

/// Computes the cost of the states of one op.
class OpPricer {
 public:
  /// `space` has the layouts of the op's result. All arguments must outlive
  /// this object.
  OpPricer(const Chain& chain, const Op& op, const LayoutSpace& space);

  /// Returns the cost of a state. Its ticks are kNever if the op cannot run in
  /// this state. An op without weights has only the storage Z1.
  TimeAndBytes price(Layout result, Storage storage) const;

 private:
  /// The axes of one level that take part in a collective.
  struct Group {
    double devices = 1;
    double rounds = 0;  // of rings along each axis in turn
  };
  /// Groups per level and part (LayoutSpace.h).
  using Groups = std::vector<std::vector<Group>>;

  Groups groupsOf(const std::vector<bool>& kinds) const;
  /// Returns the seconds of scattering (or gathering) `bytes` once, over the
  /// groups of some levels.
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
  // axes of other kinds than Broadcast and those that loops leave
  Groups ofOthers_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_CHAIN_OPCOST_H_
