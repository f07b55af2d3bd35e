// The pass that cuts a model into stages.

#ifndef PASSES_CUT_PASSES_H_
#define PASSES_CUT_PASSES_H_

#include <cstdint>
#include <memory>

#include "dialects/sbp/Sbp.h"
#include "mlir/Pass/Pass.h"
#include "passes/cut/GroupCounts.h"
#include "passes/differentiate/ReduceIn.h"
#include "passes/options/CheckedOptions.h"
#include "passes/options/OptionDeclarer.h"

namespace sbp {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/cut/Passes.h.inc"

/// Declares the options of sbp-choose-stages to `to`, which stores the values
/// that it reads in `options`. `options` must outlive `to`.
void declareOptions(ChooseStagesOptions& options, OptionDeclarer& to);

}  // namespace sbp

#endif  // PASSES_CUT_PASSES_H_
