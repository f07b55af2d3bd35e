// Pins that leave no plan within a limit of memory.
//
// The fewest bytes that a plan needs are those of each op for itself
// (MemoryLimit.h). A pin leaves its op one state, so what it adds to that sum
// depends on no other pin, but for those of the same op. So the fewest pins
// that break a limit together are those that add most.

#ifndef PASSES_SEARCH_LAYOUT_PINCONFLICT_H_
#define PASSES_SEARCH_LAYOUT_PINCONFLICT_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "passes/search/layout/Pins.h"
#include "passes/search/layout/PricedChain.h"

namespace sbp::search {

struct PinConflict {
  /// Which pins, in order: no fewer break the limit.
  std::vector<std::size_t> pins;
  /// Bytes on a device that plans with these need at least; kNever: there is no
  /// plan with them, whatever the limit.
  double fewestBytes = 0;
};

/// The fewest pins that leave no plan within a limit, if there are any.
/// `counted` is the chain without pins, counts memory, and needs at least
/// `fewestBytes`, no more than the limit.
std::optional<PinConflict> conflictOf(const PricedChain& counted,
                                      const std::vector<Pin>& pins,
                                      double fewestBytes, double limitBytes);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_PINCONFLICT_H_
