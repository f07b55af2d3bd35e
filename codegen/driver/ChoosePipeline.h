// Chooses whether a model runs as a pipeline, and which one.
//
// Pipelines are ranked by an estimate (passes/cut/RankPipelines.h). The best
// ones are then placed as they would run, and timed by the machine's prices,
// and so is the model without a pipeline. The fastest one is chosen.

#ifndef CODEGEN_DRIVER_CHOOSEPIPELINE_H_
#define CODEGEN_DRIVER_CHOOSEPIPELINE_H_

#include <optional>

#include "codegen/driver/PipelineChoices.h"
#include "codegen/driver/PipelineWish.h"
#include "codegen/plan/KernelTarget.h"
#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/Pipelines.h"
#include "passes/cut/RankPipelines.h"

namespace sbp {

/// Sets the options of `pipeline` that make `module` a pipeline, if one is
/// faster than the model without it, and emits a remark that says so. A number
/// of micro-batches that is set stays as it is; otherwise it is set, to 1 if
/// the model runs whole. Chooses nothing, and returns nullopt, if `wish` is
/// Never, or if the model or `pipeline` fix how it runs, which a remark says if
/// `wish` is Asked. Otherwise returns what the choice was made among. Buffers
/// are laid out for the kernels of `kernels`. The same pipeline is chosen
/// whatever it is `pricedFor`. Fails with a diagnostic if the model cannot be
/// priced.
FailureOr<std::optional<PipelineChoices>> choosePipeline(
    ModuleOp module, const KernelTarget& kernels, PipelineOptions& pipeline,
    PipelineWish wish, PricedFor pricedFor = PricedFor::Choice);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_CHOOSEPIPELINE_H_
