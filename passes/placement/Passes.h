// Passes from the logical (or differentiated) form to the placed one.

#ifndef PASSES_PLACEMENT_PASSES_H_
#define PASSES_PLACEMENT_PASSES_H_

#include <memory>

#include "mlir/Pass/Pass.h"
#include "passes/options/CheckedOptions.h"
#include "passes/options/OptionDeclarer.h"
#include "passes/placement/LayerPlans.h"
#include "passes/placement/PlaceBy.h"
#include "passes/search/program/SearchGoal.h"
#include "passes/search/strategies/SearchSpace.h"

namespace sbp {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/placement/Passes.h.inc"

/// Declares the options of sbp-place to `to`, which stores the values that it
/// reads in `options`. `options` must outlive `to`.
void declareOptions(PlaceOptions& options, OptionDeclarer& to);

}  // namespace sbp

#endif  // PASSES_PLACEMENT_PASSES_H_
