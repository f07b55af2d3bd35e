// ByStart strategies, as restrictions of the states of ops.
//
//   data parallel    every axis splits samples or positions
//   ZeRO-3           data parallel, and weights are kept in parts
//   tensor parallel  every axis splits columns of a product, then rows of the
//                    next one
//   Megatron 2-D     tensor parallel on the fastest axes, data parallel on the
//                    others, for the best number of fastest axes
//
// The layouts of residual tensors and the moves are still searched, so a
// strategy has the least cost that it can have. (SUMMA is not among them. It
// broadcasts tiles of the operands while it multiplies, which no placement
// describes.)

#ifndef TOOLS_LAB_STRATEGIES_H_
#define TOOLS_LAB_STRATEGIES_H_

#include <string>
#include <vector>

#include "passes/search/chain/Chain.h"
#include "passes/search/redistribution/Ticks.h"

namespace sbp::search {

/// The cost of one strategy.
struct StrategyCost {
  std::string name;
  Ticks cost = kNever;     // kNever: splits would exceed extents
  int64_t tensorAxes = 0;  // number of axes that are tensor parallel
};

/// Returns the cost of each strategy for a GPT (Gpt.h).
std::vector<StrategyCost> priceStrategies(const Chain& gpt);

}  // namespace sbp::search

#endif  // TOOLS_LAB_STRATEGIES_H_
