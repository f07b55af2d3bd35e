// Strategies that people know by name, as restrictions of what ops may do.
//
//   data parallel    every axis splits samples (then positions)
//   ZeRO-3           data parallel, and weights are kept in parts
//   tensor parallel  every axis splits columns of a product, then rows of the
//                    next one
//   Megatron 2-D     tensor parallel on the fastest axes, data parallel on the
//                    others; the best number of axes
//
// Where residual tensors lie, and how tensors move, is still searched for: a
// strategy costs the least of what it can. (SUMMA broadcasts tiles while it
// multiplies: that is no placement, and outside of this space.)

#ifndef PASSES_SEARCH_LAYOUT_STRATEGIES_H_
#define PASSES_SEARCH_LAYOUT_STRATEGIES_H_

#include <string>
#include <vector>

#include "passes/search/layout/Chain.h"
#include "passes/search/layout/Ticks.h"

namespace sbp::search {

struct StrategyCost {
  std::string name;
  Ticks cost = kNever;  // kNever: splits would exceed extents
  int64_t tensorAxes = 0;
};

/// What each strategy costs for a GPT (Gpt.h).
std::vector<StrategyCost> priceStrategies(const Chain& gpt);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_STRATEGIES_H_
