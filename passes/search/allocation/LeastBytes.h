// The least memory that the first layers of a chain need, on all processors
// together, at a period.
//
// By dynamic programming over the layers before a cut and the delay of the cut,
// which is rounded down to parts of the period. Each stage must fit on a
// processor alone, and needs its fixed bytes, and as many stashes as it has in
// flight on average over time.

#ifndef PASSES_SEARCH_ALLOCATION_LEASTBYTES_H_
#define PASSES_SEARCH_ALLOCATION_LEASTBYTES_H_

#include <cstdint>
#include <vector>

#include "passes/search/allocation/StageCosts.h"

namespace sbp::search {

/// The least memory, as described at the head of this file.
class LeastBytes {
 public:
  /// Takes time proportional to the square of the number of layers, and to the
  /// number of processors.
  LeastBytes(const StageCosts& costs, double period);

  /// Returns the least bytes of the layers before `end`, if the cut there has
  /// at least the delay `delay`; infinite if they do not fit.
  double before(int64_t end, double delay) const {
    return bytes_[end * numDelays_ + indexOf(delay)];
  }

 private:
  int64_t indexOf(double delay) const;

  double part_;  // milliseconds between two delays
  int64_t numDelays_;
  std::vector<double> bytes_;  // by layer, delay
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_ALLOCATION_LEASTBYTES_H_
