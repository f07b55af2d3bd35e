// Marks the ops of a model with their stages (sbp.stage).

#ifndef PASSES_CUT_MARKSTAGES_H_
#define PASSES_CUT_MARKSTAGES_H_

#include <vector>

#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/cut/EntryUnits.h"

namespace sbp {

/// Marks the ops of all entries of `module` with their stages. An op without a
/// mark belongs to the latest stage whose results it takes. In the entry that
/// has `units`, stage s begins with unit `begins[s]`. In other entries, an op
/// that reads a parameter belongs to the first stage that reads this parameter
/// in the entry with `units`, and that is no earlier than the stages that make
/// the op's operands.
void markStages(ModuleOp module, const EntryUnits& units,
                const std::vector<int64_t>& begins);

}  // namespace sbp

#endif  // PASSES_CUT_MARKSTAGES_H_
