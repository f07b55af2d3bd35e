// Marks the ops of a model with their stages (sbp.stage).

#ifndef PASSES_CUT_MARKSTAGES_H_
#define PASSES_CUT_MARKSTAGES_H_

#include <vector>

#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/cut/EntryUnits.h"

namespace sbp {

/// Marks the ops of all entries of `module` with their stages. An op without a
/// mark belongs to the latest stage whose results it takes.
///
/// In the entry of `units` (EntryUnits.h), stage s begins with unit
/// `begins[s]`. In other entries, let s be the latest stage of an op's
/// operands, or 0 if no operand has one. For each parameter that the op reads,
/// find the first stage from s on that reads the parameter in the entry of
/// `units`. The op is in the latest of the stages found, or in stage s if none
/// is found.
void markStages(ModuleOp module, const EntryUnits& units,
                const std::vector<int64_t>& begins);

}  // namespace sbp

#endif  // PASSES_CUT_MARKSTAGES_H_
