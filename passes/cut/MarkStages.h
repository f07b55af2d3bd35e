// Writing into a model of which stage its ops are.

#ifndef PASSES_CUT_MARKSTAGES_H_
#define PASSES_CUT_MARKSTAGES_H_

#include <vector>

#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/cut/EntryUnits.h"

namespace sbp {

/// Marks the ops of all entries of `module` with their stages, but those that
/// are of the latest stage whose results they take. Stage s of the entry that
/// has `units` begins with unit `begins[s]`. Of another entry, what reads a
/// parameter is of the first stage that reads it, no earlier than what makes
/// its operands.
void markStages(ModuleOp module, const EntryUnits& units,
                const std::vector<int64_t>& begins);

}  // namespace sbp

#endif  // PASSES_CUT_MARKSTAGES_H_
