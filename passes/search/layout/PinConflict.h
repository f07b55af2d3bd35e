// Pins that leave no plan within a memory limit.
//
// The fewest bytes of a plan are the sum of the fewest bytes of each op
// (MemoryLimit.h). A pin leaves its op one state. So the bytes that a pin adds
// to this sum do not depend on pins of other ops, and the smallest set of pins
// that breaks a limit consists of the pins that add the most.

#ifndef PASSES_SEARCH_LAYOUT_PINCONFLICT_H_
#define PASSES_SEARCH_LAYOUT_PINCONFLICT_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "passes/search/layout/Pins.h"
#include "passes/search/layout/PricedChain.h"

namespace sbp::search {

/// A set of pins that breaks the limit.
struct PinConflict {
  /// Indices of the pins, ascending. No smaller set breaks the limit.
  std::vector<std::size_t> pins;
  /// Fewest bytes per device of plans with these pins; kNever if there is no
  /// such plan, whatever the limit.
  double fewestBytes = 0;
};

/// Returns the smallest set of pins that leaves no plan within the limit;
/// nullopt if there is none. `counted` has the chain without pins, and must
/// count memory (Memory::Counted). `fewestBytes` are the fewest bytes that a
/// plan without pins needs, and must not exceed the limit.
std::optional<PinConflict> conflictOf(const PricedChain& counted,
                                      const std::vector<Pin>& pins,
                                      double fewestBytes, double limitBytes);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_PINCONFLICT_H_
