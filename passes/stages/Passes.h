// Passes that cut a program into stages and schedule these.

#ifndef PASSES_STAGES_PASSES_H_
#define PASSES_STAGES_PASSES_H_

#include <cstdint>
#include <memory>

#include "dialects/sbp/Sbp.h"
#include "mlir/Pass/Pass.h"
#include "passes/options/CheckedOptions.h"
#include "passes/options/OptionDeclarer.h"
#include "passes/stages/Execution.h"

namespace sbp {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/stages/Passes.h.inc"

/// Declares the options of sbp-schedule-stages to `to`, which stores the values
/// that it reads in `options`. `options` must outlive `to`.
void declareOptions(ScheduleStagesOptions& options, OptionDeclarer& to);

}  // namespace sbp

#endif  // PASSES_STAGES_PASSES_H_
