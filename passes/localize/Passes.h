// Passes from the boxed form to the local one.

#ifndef PASSES_LOCALIZE_PASSES_H_
#define PASSES_LOCALIZE_PASSES_H_

#include <memory>

#include "mlir/Pass/Pass.h"

namespace sbp {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/localize/Passes.h.inc"

}  // namespace sbp

#endif  // PASSES_LOCALIZE_PASSES_H_
