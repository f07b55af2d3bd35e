// Marks the ops of a model with their stages (sbp.stage).

#ifndef PASSES_CUT_MARKSTAGES_H_
#define PASSES_CUT_MARKSTAGES_H_

#include <vector>

#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/cut/EntryUnits.h"

namespace sbp {

/// Marks the ops of all entries of `module` with their stages. An op without a
/// mark belongs to the latest stage whose results it takes. In the entry of
/// `units`, stage s begins with unit `begins[s]`. In other entries, an op is in
/// no earlier stage than its operands. Among these stages, an op that reads a
/// parameter is in the first one that reads this parameter in the entry of
/// `units`, if there is one. If the op reads several such parameters, the
/// latest of these stages counts.
void markStages(ModuleOp module, const EntryUnits& units,
                const std::vector<int64_t>& begins);

}  // namespace sbp

#endif  // PASSES_CUT_MARKSTAGES_H_
