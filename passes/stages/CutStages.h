// From ops that are of stages to a function per stage: --sbp-cut-stages, see
// Passes.td.

#ifndef PASSES_STAGES_CUTSTAGES_H_
#define PASSES_STAGES_CUTSTAGES_H_

#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"

namespace sbp {

/// Makes what the entries of `module` have of each stage a function, which they
/// call. A module without stages, or one that is cut already, stays as it is.
/// Fails with a diagnostic at an op whose stage cannot be.
LogicalResult cutStages(ModuleOp module);

}  // namespace sbp

#endif  // PASSES_STAGES_CUTSTAGES_H_
