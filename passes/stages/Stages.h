// The stages of a module: the groups that run them, and the stages of ops.
//
//   sbp.stages [@front, @back]          stage 0 on @front, stage 1 on @back
//   func.func private @loss.stage0(...) attributes {sbp.stage = 0}

#ifndef PASSES_STAGES_STAGES_H_
#define PASSES_STAGES_STAGES_H_

#include <optional>

#include "dialects/sbp/Sbp.h"
#include "dialects/support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace sbp {

/// Returns the list of stages of `module`; null if it has none.
StagesOp stagesOf(ModuleOp module);

/// Returns the stage with which `op` is marked; nullopt if it has no mark. `op`
/// is a function, or an op in an entry.
std::optional<int64_t> stageOf(Operation* op);

/// Whether `op` is a source: it has one result, no operands and no regions.
/// Each stage may have its own copy of a source. Calls are not sources.
bool isSource(Operation* op);

/// Returns the group that sbp.stages lists for stage number `stage`. A schedule
/// may run the stage on other groups for some micro-batches.
mlir::FlatSymbolRefAttr groupOf(StagesOp stages, int64_t stage);

/// Returns the group that runs `function`, which must be marked with a stage.
mlir::FlatSymbolRefAttr groupOf(StagesOp stages, mlir::func::FuncOp function);

}  // namespace sbp

#endif  // PASSES_STAGES_STAGES_H_
