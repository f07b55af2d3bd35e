// The pass that bounds the integers that a program takes as inputs.

#ifndef PASSES_INPUTS_PASSES_H_
#define PASSES_INPUTS_PASSES_H_

#include <memory>

#include "mlir/Pass/Pass.h"

namespace sbp {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/inputs/Passes.h.inc"

}  // namespace sbp

#endif  // PASSES_INPUTS_PASSES_H_
