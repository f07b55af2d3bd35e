// Passes about the stages of a program: what runs on which group of ranks.

#ifndef PASSES_STAGES_PASSES_H_
#define PASSES_STAGES_PASSES_H_

#include <cstdint>
#include <memory>

#include "dialects/sbp/Sbp.h"
#include "mlir/Pass/Pass.h"
#include "passes/differentiate/ReduceIn.h"
#include "passes/options/CheckedOptions.h"

namespace sbp {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/stages/Passes.h.inc"

}  // namespace sbp

#endif  // PASSES_STAGES_PASSES_H_
