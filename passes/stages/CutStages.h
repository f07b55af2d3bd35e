// Outlines the ops of each stage into a function: the pass --sbp-cut-stages,
// see Passes.td.

#ifndef PASSES_STAGES_CUTSTAGES_H_
#define PASSES_STAGES_CUTSTAGES_H_

#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"

namespace sbp {

/// Makes the ops that an entry of `module` has of each stage a function, which
/// the entry calls. Does nothing if the module has no stages or is cut already.
/// Fails with a diagnostic at an op that cannot be in its stage.
LogicalResult cutStages(ModuleOp module);

}  // namespace sbp

#endif  // PASSES_STAGES_CUTSTAGES_H_
