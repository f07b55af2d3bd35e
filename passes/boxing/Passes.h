// Passes from the placed form to the boxed one.

#ifndef PASSES_BOXING_PASSES_H_
#define PASSES_BOXING_PASSES_H_

#include <memory>

#include "mlir/Pass/Pass.h"

namespace sbp {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/boxing/Passes.h.inc"

}  // namespace sbp

#endif  // PASSES_BOXING_PASSES_H_
