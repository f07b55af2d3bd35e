// Which groups the stages of a module run on, and which stage an op is of.
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

/// The list of stages of `module`; null if it has none.
StagesOp stagesOf(ModuleOp module);

/// The stage that `op`, an op of an entry or a function, says it is of.
std::optional<int64_t> stageOf(Operation* op);

/// Whether `op` makes its result of nothing: each stage may have it anew.
bool isSource(Operation* op);

/// The group that runs `stage`, which `stages` has; for some micro-batches
/// another may.
mlir::FlatSymbolRefAttr groupOf(StagesOp stages, int64_t stage);

/// The group of `function`, which is of a stage.
mlir::FlatSymbolRefAttr groupOf(StagesOp stages, mlir::func::FuncOp function);

}  // namespace sbp

#endif  // PASSES_STAGES_STAGES_H_
