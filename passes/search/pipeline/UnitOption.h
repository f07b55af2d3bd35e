// A way to run a unit, a layer or an op of a model, on a group of devices.

#ifndef PASSES_SEARCH_PIPELINE_UNITOPTION_H_
#define PASSES_SEARCH_PIPELINE_UNITOPTION_H_

#include <cstdint>

namespace sbp::search {

/// The times and the memory of one unit if it runs in one way. Placements,
/// states of ZeRO and recomputation differ between options. An option that
/// recomputes has a longer `input` and a smaller `stash`.
struct UnitOption {
  double forward = 0;  // seconds per micro-batch
  double input = 0;    // backward of inputs, seconds per micro-batch
  double weight = 0;   // backward of weights, seconds per micro-batch
  double once = 0;     // seconds per update, after the last backward

  double held = 0;     // bytes kept all the time, weights included
  double weights = 0;  // bytes, again for each further version of the weights
  double stash = 0;    // bytes per micro-batch from forward to end of backward
  double residue = 0;  // bytes per micro-batch between `input` and `weight`
  double transient = 0;  // bytes while the unit runs; the largest counts once

  int64_t layout = 0;  // of the tensor at its boundaries, an index
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PIPELINE_UNITOPTION_H_
