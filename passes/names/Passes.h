// Passes about the names of tensors.

#ifndef PASSES_NAMES_PASSES_H_
#define PASSES_NAMES_PASSES_H_

#include <memory>

#include "mlir/Pass/Pass.h"

namespace sbp {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/names/Passes.h.inc"

}  // namespace sbp

#endif  // PASSES_NAMES_PASSES_H_
