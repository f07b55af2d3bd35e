// The groups that the stages of a module run on, and the stages that ops belong
// to.
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

/// Returns the stage that `op`, an op of an entry or a function, is marked
/// with; nullopt if it has no mark.
std::optional<int64_t> stageOf(Operation* op);

/// Whether `op` is a source: it has one result, no operands and no regions, so
/// each stage may have a copy of it. Calls are no sources.
bool isSource(Operation* op);

/// Returns the group that runs `stage`, an index into `stages`. A schedule may
/// have another group run it for some micro-batches.
mlir::FlatSymbolRefAttr groupOf(StagesOp stages, int64_t stage);

/// Returns the group that runs `function`, which must be marked with a stage.
mlir::FlatSymbolRefAttr groupOf(StagesOp stages, mlir::func::FuncOp function);

}  // namespace sbp

#endif  // PASSES_STAGES_STAGES_H_
