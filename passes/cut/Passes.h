// The pass that cuts a model into stages.

#ifndef PASSES_CUT_PASSES_H_
#define PASSES_CUT_PASSES_H_

#include <cstdint>
#include <memory>

#include "dialects/sbp/Sbp.h"
#include "mlir/Pass/Pass.h"
#include "passes/options/CheckedOptions.h"

namespace sbp {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/cut/Passes.h.inc"

}  // namespace sbp

#endif  // PASSES_CUT_PASSES_H_
